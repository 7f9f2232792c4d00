#include "grader/authoring/release/new_lab.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

#include "common/text.h"
#include "grader/authoring/release/replace_all.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Contents by path, in the order in which they are listed.
using Files = std::map<fs::path, std::string>;

std::string number_of(const std::string& id) {
  return id.substr(0, 2);
}

std::string title_of(const NewLab& lab) {
  if (!lab.title.empty()) return lab.title;
  std::string title = lab.id.substr(3);
  std::ranges::replace(title, '-', ' ');
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

/// `title` as a YAML scalar, quoted if it must be.
std::string quoted(const std::string& title) {
  static const std::regex kPlain("[A-Za-z][A-Za-z0-9 .()-]*");
  if (std::regex_match(title, kPlain)) return title;
  std::string text = "'";
  for (const char c : title) text += c == '\'' ? "''" : std::string(1, c);
  return text + "'";
}

std::optional<Error> check_name(const NewLab& lab) {
  if (!is_lab_id(lab.id)) {
    return Error{
        .file = lab.id,
        .message =
            "cannot be a lab's name; expected two digits, a dash, and small letters, digits "
            "and dashes: 07-my-stencil"};
  }
  std::error_code ignored;
  for (const fs::path& folder : {lab.labs / lab.id, lab.solutions / lab.id}) {
    if (fs::exists(fs::symlink_status(folder, ignored)))
      return Error{.file = folder.string(), .message = "is there already; nothing was written"};
  }
  for (const fs::path& other : find_labs(lab.labs)) {
    const std::string id = other.filename().string();
    if (id.starts_with(number_of(lab.id) + "-")) {
      return Error{.file = other.string(),
                   .message = "has the number " + number_of(lab.id) +
                              " already; take another, so that one number means one lab"};
    }
  }
  return std::nullopt;
}

bool is_text(const fs::path& file) {
  return file.extension() == ".cu" || file.extension() == ".md" || file.extension() == ".yaml";
}

/// Puts the title after `key` in the first line that starts with it.
void set_title(std::string& text, const std::string& key, const std::string& title) {
  const std::size_t line = text.starts_with(key) ? 0 : text.find("\n" + key);
  if (line == std::string::npos) return;
  const std::size_t start = text.find(key, line);
  const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
  text.replace(start, end - start, key + title);
}

void rename(std::string& text, const fs::path& file, const NewLab& lab) {
  const std::string old_number = number_of(lab.from);
  const std::string number = number_of(lab.id);
  replace_all(text, lab.from, lab.id);
  replace_all(text, "LAB=" + old_number, "LAB=" + number);
  replace_all(text, "Lab " + old_number + ":", "Lab " + number + ":");
  if (file == "README.md") set_title(text, "# Lab " + number + ": ", title_of(lab));
  if (file == "lab.yaml") set_title(text, "title: ", quoted(title_of(lab)));
}

/// Whether the file is a kernel for the lab's own task only.
bool is_of_the_task(const fs::path& name) {
  const fs::path folder = *name.begin();
  return folder == "wrong" || folder == "ignores" || folder == "right" || folder == "experiments";
}

/// Adds the files of `folder`, adapted to the new lab, below `target`.
std::optional<Error> add_copies(const fs::path& folder, const fs::path& target, const NewLab& lab,
                                Files& files) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = entry.path().lexically_relative(folder);
    if (is_of_the_task(name) && lab.from != kTemplateLab) continue;
    Expected<std::string> text = read_file(entry.path());
    if (!text) return text.error();
    if (is_text(name)) rename(*text, name, lab);
    files[target / name] = std::move(*text);
  }
  return std::nullopt;
}

Expected<Files> copy_of(const NewLab& lab) {
  const fs::path declaration = lab.from_labs / lab.from;
  const fs::path solution = lab.from_solutions / lab.from;
  std::error_code ignored;
  for (const fs::path& needed : {declaration / "lab.yaml", solution / "kernel.cu"}) {
    if (!fs::is_regular_file(needed, ignored))
      return Error{.file = needed.string(),
                   .message = "is not there, so this lab cannot be copied"};
  }
  Files files;
  if (auto error = add_copies(declaration, lab.labs / lab.id, lab, files)) return *error;
  if (auto error = add_copies(solution, lab.solutions / lab.id, lab, files)) return *error;
  return files;
}

}  // namespace

bool is_lab_id(const std::string& id) {
  static const std::regex kId("[0-9]{2}(-[a-z0-9]+)+");
  return std::regex_match(id, kId);
}

Expected<std::vector<fs::path>> create_lab(const NewLab& lab) {
  if (auto error = check_name(lab)) return *error;
  try {
    const Expected<Files> files = copy_of(lab);
    if (!files) return files.error();
    std::vector<fs::path> written;
    for (const auto& [file, text] : *files) {
      fs::create_directories(file.parent_path());
      if (auto error = write_file(file, text)) return *error;
      written.push_back(file);
    }
    return written;
  } catch (const fs::filesystem_error& failure) {
    return Error{.file = failure.path1().string(), .message = failure.code().message()};
  }
}

}  // namespace tessera
