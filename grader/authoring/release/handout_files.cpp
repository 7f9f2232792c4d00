#include "grader/authoring/release/handout_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool matches(const std::string& pattern, const fs::path& name) {
  return fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME) == 0;
}

/// Adds the files below `folder` for which `name`/path matches a pattern.
void add_listed(const std::vector<std::string>& patterns, const fs::path& folder,
                const fs::path& name, std::vector<fs::path>& listed) {
  for (const fs::path& file : files_below(folder)) {
    const bool known = std::ranges::any_of(
        patterns, [&](const std::string& pattern) { return matches(pattern, name / file); });
    if (known) listed.push_back(file);
  }
}

Expected<std::vector<std::string>> read_patterns(const fs::path& kit) {
  const Expected<std::string> text = read_file(kit / "grader" / "authoring" / "handout_files.txt");
  if (!text) return text.error();
  std::vector<std::string> patterns = split_lines(*text);
  std::erase_if(patterns,
                [](const std::string& line) { return line.empty() || line.starts_with('#'); });
  return patterns;
}

/// The program's sources: all files that those of the build lead to.
class Sources {
 public:
  explicit Sources(const fs::path& kit) : kit_(kit) {}

  /// Adds what the commands of a CMakeLists.txt name.
  std::optional<Error> add_build_file(const fs::path& name) {
    const Expected<std::string> text = read_file(kit_ / name);
    if (!text) return text.error();
    static const std::regex kComment("#[^\n]*");
    static const std::regex kCommand(
        R"(\b(tessera_library|tessera_program|target_sources|configure_file|file)\s*\(([^)]*)\))");
    static const std::regex kWord(R"([^\s"]+)");
    const std::string commands = std::regex_replace(*text, kComment, "");
    for (std::sregex_iterator command(commands.begin(), commands.end(), kCommand), end;
         command != end; ++command) {
      const std::string words = (*command)[2];
      for (std::sregex_iterator word(words.begin(), words.end(), kWord); word != end; ++word) {
        if (auto error = add(name.parent_path() / word->str())) return error;
      }
    }
    return std::nullopt;
  }

  const std::set<fs::path>& names() const { return names_; }

 private:
  /// Adds the file, if there is one, and the files that it includes.
  std::optional<Error> add(const fs::path& name) {
    std::error_code ignored;
    if (!fs::is_regular_file(kit_ / name, ignored) || !names_.insert(name).second)
      return std::nullopt;
    const Expected<std::string> text = read_file(kit_ / name);
    if (!text) return text.error();
    for (const std::string& line : split_lines(*text)) {
      constexpr std::string_view kInclude = "#include \"";
      if (!line.starts_with(kInclude)) continue;
      const std::size_t end = line.find('"', kInclude.size());
      if (auto error = add(line.substr(kInclude.size(), end - kInclude.size()))) return error;
    }
    return std::nullopt;
  }

  fs::path kit_;
  std::set<fs::path> names_;
};

}  // namespace

std::set<fs::path> files_below(const fs::path& folder) {
  std::set<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path().lexically_relative(folder));
  }
  return files;
}

Expected<HandoutFiles> HandoutFiles::read(const KitFolders& from) {
  auto patterns = read_patterns(from.root);
  if (!patterns) return patterns.error();
  HandoutFiles files(from);
  files.patterns_ = std::move(*patterns);
  for (const char* part : {"common", "grader"}) {
    std::vector<fs::path> listed;
    add_listed(files.patterns_, from.root / part, part, listed);
    for (const fs::path& file : listed) files.kit_.push_back(part / file);
  }
  for (const std::string& pattern : files.patterns_) {
    const fs::path folder = fs::path(pattern).parent_path();
    const bool is_top = folder.empty() || folder == "labs";
    if (is_top && fs::is_regular_file(from.root / pattern)) files.kit_.emplace_back(pattern);
  }
  Sources program(from.root);
  for (const fs::path& file : files.kit_) {
    if (file.filename() != "CMakeLists.txt") continue;
    if (auto error = program.add_build_file(file)) return *error;
  }
  std::ranges::copy(program.names(), std::back_inserter(files.kit_));
  std::ranges::sort(files.kit_);
  const auto repeated = std::ranges::unique(files.kit_);
  files.kit_.erase(repeated.begin(), repeated.end());
  add_listed(files.patterns_, from.datasets, "datasets", files.datasets_);
  return files;
}

std::vector<fs::path> HandoutFiles::of_lab(const std::string& id) const {
  std::vector<fs::path> listed;
  add_listed(patterns_, from_.labs / id, fs::path("labs") / id, listed);
  return listed;
}

std::vector<fs::path> HandoutFiles::kept_of_lab(const std::string& id) const {
  const std::vector<fs::path> listed = of_lab(id);
  std::vector<fs::path> kept;
  std::ranges::set_difference(files_below(from_.labs / id), listed, std::back_inserter(kept));
  std::erase(kept, "baseline.ptx");  // made anew for every handout
  return kept;
}

}  // namespace tessera
