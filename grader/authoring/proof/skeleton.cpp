#include "grader/authoring/proof/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "common/text.h"

namespace tessera {
namespace {

constexpr std::string_view kBegin = "// BEGIN SOLUTION";
constexpr std::string_view kEnd = "// END SOLUTION";
constexpr std::string_view kReplacement = "//:";
constexpr std::string_view kSpace = " \t\r\n";

/// A line in three parts: "  ", "sum = 0;", "\r\n".
struct Line {
  int number = 0;
  std::string_view indentation;
  std::string_view text;  // without surrounding space
  std::string_view all;   // the whole line with its end

  std::string_view end() const {
    const std::size_t end = all.find_first_of("\r\n");
    return end == std::string_view::npos ? std::string_view() : all.substr(end);
  }
};

Line line_of(std::string_view all, int number) {
  const std::size_t first = all.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {number, "", "", all};
  const std::size_t last = all.find_last_not_of(kSpace);
  return {number, all.substr(0, first), all.substr(first, last - first + 1), all};
}

std::vector<Line> lines_of(std::string_view source) {
  std::vector<Line> lines;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size() - 1);
    lines.push_back(line_of(source.substr(0, end + 1), static_cast<int>(lines.size()) + 1));
    source.remove_prefix(end + 1);
  }
  return lines;
}

bool is_begin(std::string_view text) {
  return text.starts_with(kBegin) && (text == kBegin || text[kBegin.size()] == ':');
}

/// The letters of `text` in lower case: "beginsolutions" for "//BEGIN_SOLUTIONS".
std::string letters_of(std::string_view text) {
  std::string letters = lower_case(text);
  std::erase_if(letters, [](unsigned char letter) { return std::isalpha(letter) == 0; });
  return letters;
}

/// Whether a comment starts with a misspelt mark: "BEGIN SOLUTON", "BEGN SOLUTION".
bool starts_like_mark(std::string_view comment) {
  std::istringstream words{std::string(comment)};
  std::string first;
  std::string second;
  words >> first >> second;
  first = letters_of(first);
  second = letters_of(second);
  const bool begin_or_end = first == "begin" || first == "end";
  return (begin_or_end && !nearest_word(second, {"solution"}).empty()) ||
         (second == "solution" && !nearest_word(first, {"begin"}).empty());
}

/// Whether the line may be meant as a mark: if it were taken for code, a solution would get out.
bool looks_like_mark(std::string_view text) {
  const std::size_t comment = std::min(text.find("//"), text.find("/*"));
  if (comment == std::string_view::npos) return false;
  const std::string letters = letters_of(text);
  return letters.find("beginsolution") != std::string::npos ||
         letters.find("endsolution") != std::string::npos ||
         starts_like_mark(text.substr(comment + 2));
}

/// Reads a source line by line and sorts the lines into the skeleton and the solution.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  std::optional<Error> read(std::string_view source) {
    for (const Line& line : lines_of(source)) {
      if (auto error = read(line)) return error;
    }
    if (open_) return fault(open_->number, "is not closed; '// END SOLUTION' is missing");
    if (solution_.empty()) {
      return Error{
          .file = file_,
          .message =
              "nothing is marked as the solution; put '// BEGIN SOLUTION: YOUR CODE HERE' and "
              "'// END SOLUTION' around what students must write"};
    }
    return std::nullopt;
  }

  std::string& skeleton() { return skeleton_; }
  std::string& clean() { return clean_; }
  std::vector<std::string>& solution() { return solution_; }

 private:
  std::optional<Error> read(const Line& line) {
    if (is_begin(line.text)) return begin(line);
    if (line.text == kEnd) return end(line);
    if (line.text.starts_with(kReplacement)) return replace(line);
    if (looks_like_mark(line.text)) {
      return fault(line.number,
                   "looks like a mark but is not one; a mark stands alone on its line: "
                   "'// BEGIN SOLUTION', '// BEGIN SOLUTION: TEXT' or '// END SOLUTION'");
    }
    clean_ += line.all;
    if (open_) {
      keep_back(line);
    } else {
      skeleton_ += line.all;
    }
    return std::nullopt;
  }

  std::optional<Error> begin(const Line& line) {
    if (open_) {
      return fault(line.number, fmt::format("stands inside the part that line {} begins; close "
                                            "that one first",
                                            open_->number));
    }
    open_ = line;
    lines_inside_ = 0;
    if (line.text == kBegin) return std::nullopt;
    const Line text = line_of(line.text.substr(kBegin.size() + 1), line.number);
    if (text.text.empty()) return fault(line.number, "has a colon but no text after it");
    if (text.text.ends_with('\\')) return backslash(line);
    skeleton_ += fmt::format("{}// {}{}", line.indentation, text.text, line.end());
    return std::nullopt;
  }

  std::optional<Error> end(const Line& line) {
    if (!open_) return fault(line.number, "closes nothing; '// BEGIN SOLUTION' is missing");
    if (lines_inside_ == 0) {
      return fault(open_->number, "marks nothing: there is no line of a solution before its end");
    }
    open_.reset();
    return std::nullopt;
  }

  std::optional<Error> replace(const Line& line) {
    if (!open_) return fault(line.number, "'//:' is replacement text; it stands between two marks");
    if (line.text.ends_with('\\')) return backslash(line);
    std::string_view text = line.text.substr(kReplacement.size());
    if (text.starts_with(' ')) text.remove_prefix(1);
    if (!text.empty()) skeleton_ += line.indentation;
    skeleton_ += text;
    skeleton_ += line.end();
    return std::nullopt;
  }

  void keep_back(const Line& line) {
    if (line.text.empty()) return;
    ++lines_inside_;
    solution_.emplace_back(line.text);
  }

  std::optional<Error> backslash(const Line& line) const {
    return fault(line.number,
                 "ends with a backslash, which would hide the next line from the "
                 "compiler");
  }

  std::optional<Error> fault(int line, std::string message) const {
    return Error{.file = file_, .line = line, .message = std::move(message)};
  }

  std::string file_;
  std::optional<Line> open_;  // the mark that is not closed yet
  int lines_inside_ = 0;      // lines of the solution since then
  std::string skeleton_;
  std::string clean_;
  std::vector<std::string> solution_;
};

}  // namespace

Expected<std::string> skeleton_of(std::string_view source, const std::string& file) {
  Reader reader(file);
  if (auto error = reader.read(source)) return *error;
  return std::move(reader.skeleton());
}

Expected<std::string> clean_solution(std::string_view source, const std::string& file) {
  Reader reader(file);
  if (auto error = reader.read(source)) return *error;
  return std::move(reader.clean());
}

Expected<std::vector<std::string>> solution_lines(std::string_view source,
                                                  const std::string& file) {
  Reader reader(file);
  if (auto error = reader.read(source)) return *error;
  return std::move(reader.solution());
}

}  // namespace tessera
