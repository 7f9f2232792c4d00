#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "common/numbers.h"
#include "common/utf8.h"
#include "grader/report/causes.h"
#include "grader/report/finding_text.h"
#include "grader/report/github.h"
#include "grader/report/points.h"
#include "grader/report/sums.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t kMaxOfAKind = 10;
constexpr int kMaxMessageColumns = 2000;

struct Command {
  bool warning = false;
  std::size_t rank = 0;  // among the causes of its lab
  std::string file;      // "" if it is not known
  int line = 0;
  int column = 0;
  std::string title;
  std::string message;
};

/// `text` escaped for a command's message, after the second "::".
std::string escaped_data(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '%') {
      result += "%25";
    } else if (c == '\n') {
      result += "%0A";
    } else {
      result += c;
    }
  }
  return result;
}

/// `text` escaped for a property, as after "file=": a comma ends a property, a colon the last one.
std::string escaped_property(std::string_view text) {
  std::string result;
  for (const char c : escaped_data(text)) {
    if (c == ':') {
      result += "%3A";
    } else if (c == ',') {
      result += "%2C";
    } else {
      result += c;
    }
  }
  return result;
}

std::string path_in(const fs::path& workspace, const fs::path& file) {
  if (workspace.empty() || file.empty()) return file.string();
  std::error_code failure;
  const fs::path place = fs::weakly_canonical(fs::absolute(file, failure), failure);
  const fs::path root = fs::weakly_canonical(workspace, failure);
  const fs::path relative = place.lexically_relative(root);
  const bool outside = relative.empty() || *relative.begin() == "..";
  return failure || outside ? file.string() : relative.string();
}

std::string written(const Command& command) {
  std::string properties;
  const auto add = [&](std::string_view name, const std::string& value) {
    properties +=
        fmt::format("{}{}={}", properties.empty() ? "" : ",", name, escaped_property(value));
  };
  if (!command.file.empty()) add("file", command.file);
  if (command.line > 0) add("line", std::to_string(command.line));
  if (command.column > 0) add("col", std::to_string(command.column));
  add("title", command.title);
  return fmt::format("::{} {}::{}\n", command.warning ? "warning" : "error", properties,
                     escaped_data(command.message));
}

/// Errors, which come first, are what the student has to mend.
bool is_warning(const Cause& cause) {
  using enum Status;
  if (!cause.title.empty())
    return cause.status == partial || cause.status == review || cause.status == infra;
  return cause.finding.severity != Severity::error;
}

std::string message_of(const Cause& cause) {
  const Finding& finding = cause.finding;
  const std::string text = printable(finding.message.str());
  std::string message(prefix_of_width(text, kMaxMessageColumns));
  if (message.size() < text.size()) message += " ...";
  std::string where = where_text(cause);
  if (finding.count > 1 && finding.line > 0)
    where += fmt::format("{}{} times", where.empty() ? "" : ", ", grouped(finding.count));
  if (!where.empty()) message += "\n" + where;
  if (!finding.hint.empty()) message += "\nhint: " + finding.hint.str();
  return message;
}

Command command_of(const Cause& cause, std::size_t rank, const Record& record,
                   const fs::path& workspace) {
  const Finding& finding = cause.finding;
  Command command;
  command.warning = is_warning(cause);
  command.rank = rank;
  command.message = message_of(cause);
  const std::string what = cause.title.empty()
                               ? std::string(to_string(finding.kind))
                               : fmt::format("{} ({})", cause.title, to_string(cause.status));
  command.title = record.lab + ": " + what;
  // Any other file is a header of the kit's, which is not in this repository.
  if (!finding.file.empty() && finding.file != kSubmissionFile) {
    command.message = fmt::format("{}:{}: {}", finding.file, finding.line, command.message);
    return command;
  }
  command.file = path_in(workspace, record.path);
  command.line = finding.line;
  command.column = finding.column;
  return command;
}

std::vector<Command> commands_of(const std::vector<Record>& records, const fs::path& workspace) {
  std::vector<Command> commands;
  for (const Record& record : records) {
    if (record.untouched) continue;
    const std::vector<Cause> causes = causes_of(record);
    for (std::size_t i = 0; i < causes.size(); ++i)
      commands.push_back(command_of(causes[i], i, record, workspace));
  }
  std::ranges::stable_sort(commands, {}, [](const Command& command) {
    return std::pair(command.warning, command.rank);
  });
  return commands;
}

std::string notices(const std::vector<Record>& records) {
  const Sums sums = sums_of(records);
  if (sums.measured <= 0) return "";
  const auto number = [](double points) { return fmt::format("{:.10g}", rounded_points(points)); };
  const std::string won = number(sums.won);
  const std::string most = number(sums.measured + sums.infra);
  return fmt::format(
      "::notice title=Autograding complete::Points {0}/{1}\n"
      "::notice title=Autograding report::{{\"totalPoints\":{0},\"maxPoints\":{1}}}\n",
      won, most);
}

}  // namespace

std::string github_commands(const std::vector<Record>& records, const fs::path& workspace) {
  std::string text;
  std::array<std::ptrdiff_t, 2> number{};  // of errors and of warnings
  for (const Command& command : commands_of(records, workspace)) {
    if (++number[command.warning ? 1 : 0] <= kMaxOfAKind) text += written(command);
  }
  return text + notices(records);
}

std::string github_command(const Error& error, const fs::path& workspace) {
  Command command;
  command.title = "tessera";
  command.message = error.line > 0 ? error.message : error.str();
  if (error.line > 0) command.file = path_in(workspace, error.file);
  command.line = error.line;
  command.column = error.column;
  return written(command);
}

}  // namespace tessera
