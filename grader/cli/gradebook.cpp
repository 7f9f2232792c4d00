// tessera gradebook: shows, changes and exports what a batch has graded.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/gradebook_book.h"
#include "grader/cli/gradebook_regrade.h"
#include "grader/cli/gradebook_report.h"
#include "grader/cli/locations.h"
#include "grader/gradebook/display_name.h"
#include "grader/gradebook/export/export.h"
#include "grader/gradebook/marks.h"
#include "grader/lab/lab.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct GradebookArguments : BookArguments {
  std::string lab;
  std::string student;
  std::string format = "csv";
  std::string into;
  std::string template_file;
  bool scale_deferred = false;
  std::optional<double> points;
  std::optional<double> late_days;
  bool bonus = false;
  std::string reason;
  std::string author;
};

std::vector<std::string> names_of(const Identity& person) {
  return {person.name,      person.email,     person.login, person.sis_id,
          person.canvas_id, person.moodle_id, person.github};
}

bool contains(const std::string& text, const std::string& part) {
  return lower_case(text).find(lower_case(part)) != std::string::npos;
}

Error no_student(const std::string& word, const std::vector<BookStudent>& all) {
  std::vector<std::string> known;
  for (const BookStudent& student : all) {
    for (const std::string& name : names_of(student.identity)) known.push_back(name);
  }
  return {.message = fmt::format("no student '{}'{}", word, did_you_mean(word, known))};
}

/// Whether a part of a name is enough: not for changing a mark, since students choose their names.
enum class NameMatch { in_full, in_part };

/// The only student with that name, email, login or number.
Expected<BookStudent> student_called(const std::string& word, const std::vector<BookStudent>& all,
                                     NameMatch match) {
  std::vector<const BookStudent*> full;
  std::vector<const BookStudent*> part;
  for (const BookStudent& student : all) {
    const std::vector<std::string> names = names_of(student.identity);
    if (std::ranges::count(names, word) > 0) full.push_back(&student);
    if (std::ranges::any_of(names, [&](const std::string& name) { return contains(name, word); }))
      part.push_back(&student);
  }
  const bool whole = match == NameMatch::in_full || !full.empty();
  const std::vector<const BookStudent*>& found = whole ? full : part;
  if (word.empty() || found.empty()) return no_student(word, all);
  if (found.size() == 1) return *found.front();
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(8, found.size()); ++i)
    list += (i > 0 ? ", " : "") + distinct_name(found[i]->identity);
  return Error{.message = fmt::format("'{}' means {} students: {}; give an email or a number", word,
                                      found.size(), list)};
}

ExitStatus run_show(const GradebookArguments& arguments) {
  const auto open = open_book(arguments, Book::Mode::read);
  if (!open) return usage_error(open.error());
  const auto lab = lab_called(arguments.lab, *open);
  if (!lab) return usage_error(lab.error());
  const int width = terminal_options().width;
  if (!arguments.student.empty()) {
    const auto student =
        student_called(arguments.student, open->book.students(), NameMatch::in_part);
    if (!student) return usage_error(student.error());
    std::cout << show_student(open->book, open->marks, student->id, width);
  } else if (*lab) {
    std::cout << show_lab(open->book, open->marks, **lab, width);
  } else {
    std::cout << show_class(open->marks, open->course, width);
  }
  return kSuccess;
}

ExitStatus run_export(const GradebookArguments& arguments) {
  const auto open = open_book(arguments, Book::Mode::read);
  if (!open) return usage_error(open.error());
  const auto lab = lab_called(arguments.lab, *open);
  if (!lab) return usage_error(lab.error());
  ExportRequest request;
  request.format = *export_format(arguments.format);
  request.lab = *lab;
  request.into = arguments.into;
  request.template_file = arguments.template_file;
  request.labs = open->locations.kit.labs;
  request.scale_deferred = arguments.scale_deferred;
  const auto exported = export_marks(open->book, open->course, open->marks, request);
  if (!exported) return usage_error(exported.error());
  std::cout << exported->text << std::flush;
  for (const std::string& note : exported->notes)
    std::cerr << wrapped(printable(note), "", terminal_options().width);
  if (writes_folder(request.format)) std::cerr << "written to " << arguments.into << "\n";
  return std::cout ? kSuccess : kInfrastructure;
}

std::string this_user() {
  const passwd* const entry = getpwuid(getuid());
  return entry == nullptr ? std::to_string(getuid()) : entry->pw_name;
}

/// Prints what keeps days set by hand from changing a mark.
void print_without_effect(const LatePolicy& policy, bool handed_in) {
  const auto print = [](const std::string& note) {
    std::cerr << wrapped("note: " + note, "", terminal_options().width);
  };
  if (!policy.costs()) {
    print(
        "the course takes no points for late work; course.yaml says what it costs, such as "
        "`late: {per_day: 10 %}`");
  }
  if (!handed_in) {
    print(
        "nothing is handed in yet, and late days apply only to submitted work: for later work give "
        "an extension in course.yaml, such as `extensions: [{student: jdoe, lab: 03-tiled, until: "
        "2026-10-20}]`");
  }
}

ExitStatus run_adjust(const GradebookArguments& arguments) {
  if (arguments.points.has_value() == arguments.late_days.has_value()) {
    return usage_error(
        {"", 0, 0,
         "give POINTS to add, or --late-days: by how many days the work is late (0: not "
         "late)"});
  }
  if (!std::isfinite(arguments.points.value_or(0)))
    return usage_error({"", 0, 0, "POINTS is a number such as 2.5"});
  if (arguments.bonus && !arguments.points)
    return usage_error({"", 0, 0, "--bonus goes with POINTS, not with --late-days"});
  auto open = open_book(arguments, Book::Mode::write);
  if (!open) return usage_error(open.error());
  const auto lab = lab_called(arguments.lab, *open);
  if (!lab) return usage_error(lab.error());
  const auto student = student_called(arguments.student, open->book.students(), NameMatch::in_full);
  if (!student) return usage_error(student.error());
  const auto same_lab = [&](const BookAssignment& assignment) {
    return assignment.lab == lab->value();
  };
  const std::vector<BookAssignment> assignments = open->book.assignments();
  const auto assignment = std::ranges::find_if(assignments, same_lab);
  if (assignment != assignments.end() &&
      std::abs(arguments.points.value_or(0)) > assignment->max_points) {
    return usage_error({"", 0, 0,
                        fmt::format("{:g} points are more than {} has, {:g}; nothing was changed",
                                    *arguments.points, assignment->lab, assignment->max_points)});
  }
  BookAdjustment adjustment;
  adjustment.student = student->id;
  adjustment.lab = lab->value();
  adjustment.points = arguments.points.value_or(0);
  adjustment.late_days = arguments.late_days;
  adjustment.bonus = arguments.bonus;
  adjustment.reason = arguments.reason;
  adjustment.author = arguments.author.empty() ? this_user() : arguments.author;
  adjustment.at = format_time(std::time(nullptr));
  open->book.add_adjustment(adjustment);
  const std::vector<Mark> all = marks(open->book, open->course);
  if (adjustment.late_days) {
    print_without_effect(open->course.late, std::ranges::any_of(all, [&](const Mark& mark) {
                           return mark.student.id == student->id && mark.lab == adjustment.lab &&
                                  mark.attempts > 0;
                         }));
  }
  std::cout << show_student(open->book, all, student->id, terminal_options().width);
  return kSuccess;
}

std::vector<std::string> export_words() {
  std::vector<std::string> words;
  for (const ExportFormat format : all_export_formats()) words.emplace_back(to_string(format));
  return words;
}

Command add_show(CLI::App& group, const std::shared_ptr<GradebookArguments>& arguments) {
  CLI::App* show = group.add_subcommand("show", "A table of all; or one lab, or one student");
  add_book_options(*show, *arguments);
  show->add_option("--lab", arguments->lab, "Statistics of one lab");
  show->add_option("--student", arguments->student, "Everything about one student");
  return {show, [arguments] { return run_show(*arguments); }};
}

Command add_export(CLI::App& group, const std::shared_ptr<GradebookArguments>& arguments) {
  CLI::App* exported = group.add_subcommand("export", "Marks as another system reads them");
  add_book_options(*exported, *arguments);
  exported->add_option("--format", arguments->format, "What to write")
      ->check(CLI::IsMember(export_words()))
      ->capture_default_str();
  exported->add_option("--lab", arguments->lab, "Only this lab");
  exported->add_option("--into", arguments->into, "New folder, for formats that are folders");
  exported->add_option("--template", arguments->template_file,
                       "The file that the teacher downloaded: moodle needs it, canvas takes it");
  exported->add_flag("--scale-deferred", arguments->scale_deferred,
                     "Scale up marks with unmeasured points, as if the measured points were all");
  return {exported, [arguments] { return run_export(*arguments); }};
}

Command add_adjust(CLI::App& group, const std::shared_ptr<GradebookArguments>& arguments) {
  CLI::App* adjust = group.add_subcommand("adjust", "Change a mark by hand, with a reason");
  add_book_options(*adjust, *arguments);
  adjust->add_option("STUDENT", arguments->student, "Name, email, login or number, in full")
      ->required();
  adjust->add_option("LAB", arguments->lab, "The lab")->required();
  adjust->add_option("POINTS", arguments->points,
                     "Points to add to the present grade; below 0 to take away");
  adjust->add_flag("--bonus", arguments->bonus,
                   "The points count whatever is graded later, and beyond the lab's maximum");
  adjust
      ->add_option(
          "--late-days", arguments->late_days,
          "In place of POINTS: by how many days the work that is there is late; 0: not late")
      ->check(CLI::Range(0.0, 3660.0));
  adjust->add_option("--reason", arguments->reason, "Kept beside the mark")->required();
  adjust->add_option("--author", arguments->author, "Who decided (default: the user's name)");
  return {adjust, [arguments] { return run_adjust(*arguments); }};
}

}  // namespace

std::vector<Command> add_gradebook_commands(CLI::App& app) {
  CLI::App* group = app.add_subcommand("gradebook", "Marks of a class: look, export, change");
  group->require_subcommand(1);
  const auto arguments = std::make_shared<GradebookArguments>();
  return {add_batch_command(app),        add_show(*group, arguments), add_export(*group, arguments),
          add_adjust(*group, arguments), add_regrade_command(*group), add_report_command(*group)};
}

}  // namespace tessera
