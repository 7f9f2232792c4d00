#include "grader/cli/format_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "common/text.h"
#include "grader/cli/locations.h"
#include "grader/report/autolab.h"
#include "grader/report/course_text.h"
#include "grader/report/github.h"
#include "grader/report/junit.h"

namespace tessera {

struct OutputFormat {
  const char* name;
  bool follows_text;  // on standard output, it comes after the text of all labs
  std::string (*write)(const std::vector<Record>&, bool complete, const Presentation&);
};

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string write_text(const std::vector<Record>& records, bool, const Presentation& presentation) {
  Presentation plain = presentation;
  plain.text.color = false;
  std::string text;
  for (const Record& record : records)
    text += (text.empty() ? "" : "\n") + text_report(record, plain.text);
  return text + closing_text(records, plain);
}

std::string write_html(const std::vector<Record>& records, bool, const Presentation&) {
  return html_report(records);
}

std::string write_junit(const std::vector<Record>& records, bool, const Presentation&) {
  return junit_report(records);
}

std::string write_gradescope(const std::vector<Record>& records, bool complete,
                             const Presentation& presentation) {
  GradescopeOptions options;
  options.hidden_items = presentation.course.gradescope.hidden_items;
  if (!complete)
    options.note = "The grader was stopped before its end. This is what it had graded by then.";
  return gradescope_report(records, options);
}

std::string write_github(const std::vector<Record>& records, bool, const Presentation&) {
  return github_commands(records, environment("GITHUB_WORKSPACE"));
}

std::string write_autolab(const std::vector<Record>& records, bool, const Presentation&) {
  return autolab_report(records);
}

constexpr std::array kFormats = {
    OutputFormat{"text", true, write_text},     OutputFormat{"html", false, write_html},
    OutputFormat{"junit", false, write_junit},  OutputFormat{"gradescope", false, write_gradescope},
    OutputFormat{"github", true, write_github}, OutputFormat{"autolab", true, write_autolab},
};
constexpr const OutputFormat* kText = &kFormats[0];

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const OutputFormat& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::filesystem::path resolved(const std::filesystem::path& file) {
  std::error_code failure;
  const auto path =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file, failure), failure);
  return failure ? file : path;
}

Error format_error(const std::string& word, const std::string& message) {
  return {.file = "--format " + word, .message = message};
}

std::optional<Error> append_to(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  stream << text << std::flush;
  if (stream) return std::nullopt;
  return Error{.file = file,
               .message = "cannot be appended to; the variable GITHUB_STEP_SUMMARY names it"};
}

}  // namespace

std::string closing_text(const std::vector<Record>& records, const Presentation& presentation) {
  if (records.size() < 2) return "";
  return "\n" + text_total(records, presentation.text) +
         course_text(presentation.course, records, std::time(nullptr));
}

std::string FormatOutput::names() {
  return fmt::format("{}", fmt::join(format_names(), ", "));
}

Expected<FormatOutput> FormatOutput::parse(const std::vector<std::string>& words) {
  FormatOutput output;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto format = std::ranges::find(kFormats, name, &OutputFormat::name);
    if (format == kFormats.end()) {
      return format_error(word, "no such format" + did_you_mean(name, format_names()) +
                                    "; expected one of " + names() + ", or FORMAT=FILE");
    }
    if (equals == std::string::npos) {
      if (output.printed_ != nullptr) {
        return format_error(word,
                            fmt::format("standard output is for --format {}; send one of them "
                                        "to a file: --format {}=FILE",
                                        output.printed_->name, name));
      }
      output.printed_ = &*format;
      continue;
    }
    const std::string file = word.substr(equals + 1);
    if (file.empty()) return format_error(word, "expected the name of a file after '='");
    if (output.writes_to(file))
      return format_error(word, "another format is written to this file; give each its own");
    output.files_.push_back({&*format, file});
  }
  if (output.printed_ == nullptr) output.printed_ = kText;
  output.token_ = fresh_key();
  return output;
}

std::string FormatOutput::printed() const {
  return printed_->name;
}

bool FormatOutput::prints_text() const {
  return printed_->follows_text;
}

bool FormatOutput::writes_to(const std::filesystem::path& file) const {
  return std::ranges::any_of(files_, [&](const Destination& destination) {
    return resolved(destination.file) == resolved(file);
  });
}

std::optional<Error> FormatOutput::check() const {
  for (const Destination& destination : files_) {
    if (auto error = check_writable(destination.file)) return error;
  }
  return std::nullopt;
}

void FormatOutput::print_text(const std::string& text) const {
  if (printed() == "github") {
    std::cout << "::stop-commands::" << token_ << "\n" << text << "::" << token_ << "::\n";
  } else {
    std::cout << text;
  }
  std::cout << std::flush;
}

void FormatOutput::print_failure(const Error& error) const {
  if (printed() == "github")
    std::cout << github_command(error, environment("GITHUB_WORKSPACE")) << std::flush;
}

bool FormatOutput::asks_for(const std::string& name) const {
  return printed_->name == name || std::ranges::any_of(files_, [&](const Destination& destination) {
           return destination.format->name == name;
         });
}

void FormatOutput::rewrite_files(const std::vector<Record>& records,
                                 const Presentation& presentation) const {
  for (const auto& [format, file] : files_) {
    if (!is_written_in_place(file)) write_file(file, format->write(records, false, presentation));
  }
}

bool FormatOutput::finish(const std::vector<Record>& records, bool complete,
                          const Presentation& presentation) const {
  std::vector<Error> errors;
  for (const auto& [format, file] : files_) {
    if (auto error = write_file(file, format->write(records, complete, presentation)))
      errors.push_back(*error);
  }
  if (printed_ != kText)
    std::cout << printed_->write(records, complete, presentation) << std::flush;
  const std::string summary = environment("GITHUB_STEP_SUMMARY");
  if (asks_for("github") && !summary.empty()) {
    if (auto error = append_to(summary, github_summary(records))) errors.push_back(*error);
  }
  for (const Error& error : errors) print_error(error);
  return errors.empty() && std::cout.good();
}

}  // namespace tessera
