#include "grader/cli/gradebook_report.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/cli/gradebook_book.h"
#include "grader/cli/options.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/report/class_page.h"
#include "grader/gradebook/report/pseudonym.h"
#include "grader/lab/course_labs.h"
#include "grader/lab/lab.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

struct ReportArguments : BookArguments {
  std::vector<std::string> labs;
  bool anonymous = false;
  std::string out = "class.html";
};

Expected<std::vector<Mark>> wanted_marks(const OpenBook& open,
                                         const std::vector<std::string>& words) {
  if (words.empty()) return open.marks;
  std::vector<std::string> wanted;
  for (const std::string& word : words) {
    const auto lab = lab_called(word, open);
    if (!lab) return lab.error();
    const std::vector<std::string> known = labs_of(open.marks);
    if (*lab && std::ranges::count(known, **lab) == 0)
      return Error{.message = fmt::format("the gradebook has no marks for lab {}{}", **lab,
                                          did_you_mean(**lab, known))};
    if (*lab) wanted.push_back(**lab);
  }
  std::vector<Mark> marks;
  std::ranges::copy_if(open.marks, std::back_inserter(marks),
                       [&](const Mark& mark) { return std::ranges::count(wanted, mark.lab) > 0; });
  return marks;
}

/// The labs of the marks as they are now, but for those that are gone, or broken.
std::vector<Lab> present_labs(const std::vector<Mark>& marks, const Locations& locations) {
  std::vector<Lab> labs;
  for (const std::string& id : labs_of(marks)) {
    auto lab = load_lab(locations.kit.labs / id, locations.kit.solutions / id / "hidden.yaml",
                        locations.kit.datasets);
    if (lab)
      labs.push_back(std::move(*lab));
    else
      std::cerr << fmt::format("tessera: the report takes the names of {} for students' own: {}\n",
                               id, lab.error().str());
  }
  return labs;
}

/// A typing error must not overwrite a gradebook.
std::optional<Error> check_out(const ReportArguments& arguments) {
  std::error_code missing;
  if (!std::filesystem::equivalent(arguments.out, arguments.gradebook, missing))
    return std::nullopt;
  return Error{.message = "--out " + arguments.out + " is the gradebook; name another file"};
}

ExitStatus run_report(const ReportArguments& arguments) {
  if (const auto error = check_out(arguments)) return usage_error(*error);
  // The key of pseudonyms is kept in the book.
  auto open = open_book(arguments, arguments.anonymous ? Book::Mode::write : Book::Mode::read);
  if (!open) return usage_error(open.error());
  auto marks = wanted_marks(*open, arguments.labs);
  if (!marks) return usage_error(marks.error());
  if (arguments.anonymous) *marks = anonymised(*marks, open->book.pseudonym_key(fresh_key()));
  ClassReportRequest request;
  request.labs = present_labs(*marks, open->locations);
  request.with_names = !arguments.anonymous;
  request.now = std::time(nullptr);
  const ClassReport report = class_report(open->book, open->course, *marks, request);
  for (const std::string& note : report.notes)
    std::cerr << wrapped(printable(note), "tessera: ", terminal_options().width);
  const std::string page = class_page(report);
  if (const auto error = write_file(arguments.out, page)) return infrastructure_error(*error);
  std::cerr << fmt::format("written to {}: {} students, {} labs, {:.1f} MB\n", arguments.out,
                           report.students.size(), report.labs.size(),
                           static_cast<double>(page.size()) / 1e6);
  return kSuccess;
}

}  // namespace

Command add_report_command(CLI::App& gradebook) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = gradebook.add_subcommand(
      "report", "One HTML file on the class: points, mistakes, who is stuck");
  add_book_options(*command, *arguments);
  command->add_option("--lab", arguments->labs, "Only this lab; several: --lab 01 --lab 03");
  command->add_flag("--anonymous", arguments->anonymous,
                    "Pseudonyms for names; nothing else that identifies students");
  command->add_option("--out", arguments->out, "The file to write")->capture_default_str();
  return {command, [arguments] { return run_report(*arguments); }};
}

}  // namespace tessera
