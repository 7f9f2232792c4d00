#include "grader/lab/lab_hash.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/sha256.h"
#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// The text "\0name\0hash" of each file, so that no two lists have the same text.
class HashedFiles {
 public:
  void add(const fs::path& file, const std::string& name) {
    const Expected<std::string> content = read_file(file, kMaxFileBytes);
    if (!content && !error_) error_ = content.error();
    if (content) add_text(name, *content);
  }

  void add_text(const std::string& name, const std::string& content) {
    text_ += '\0' + name + '\0' + sha256(content);
  }

  void add_folder(const fs::path& folder) {
    for (const fs::path& file : files_below(folder)) add(file, fs::relative(file, folder).string());
  }

  Expected<std::string> hash() const {
    if (error_) return *error_;
    return sha256(text_);
  }

 private:
  std::string text_;
  std::optional<Error> error_;
};

}  // namespace

std::set<std::string> baselines_of(const Lab& lab) {
  std::set<std::string> ids;
  for (const Threshold& threshold : lab.thresholds) {
    if (!threshold.over.empty()) ids.insert(threshold.over);
  }
  return ids;
}

Expected<std::string> lab_hash(const Lab& lab, const KitFolders& kit) {
  HashedFiles files;
  files.add(lab.directory / "lab.yaml", "lab.yaml");
  if (!lab.reference_kernel.empty()) files.add(lab.reference_kernel, "reference.cu");
  const fs::path hidden = kit.solutions / lab.id / "hidden.yaml";
  std::error_code ignored;
  if (fs::exists(hidden, ignored)) files.add(hidden, "hidden.yaml");
  for (const std::string& id : baselines_of(lab)) {
    const fs::path reference = kit.solutions / id / "kernel.cu";
    if (fs::exists(reference, ignored)) files.add(reference, id + "/kernel.cu");
  }
  for (const std::string& device : lab.devices) files.add_text("device", device);
  files.add_folder(kit.datasets);
  files.add_folder(kit.include_dir());
  return files.hash();
}

}  // namespace tessera
