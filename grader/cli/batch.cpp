// tessera batch: grades a whole class, from a download into a gradebook.
#include "grader/gradebook/batch.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "common/numbers.h"
#include "common/temporary_directory.h"
#include "grader/cli/batch_progress.h"
#include "grader/cli/choices.h"
#include "grader/cli/commands.h"
#include "grader/cli/gradebook_options.h"
#include "grader/cli/locations.h"
#include "grader/gradebook/export/mark_notes.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/marks.h"
#include "grader/gradebook/take_in.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProblemsShown = 20;

struct BatchArguments {
  TakeInRequest intake;
  std::string format = "auto";
  std::string lab;
  bool dry_run = false;
  GradingOptions grading;
};

std::vector<std::string> format_words() {
  std::vector<std::string> words = {"auto"};
  for (const SourceFormat format : all_source_formats()) words.emplace_back(to_string(format));
  return words;
}

void print_problems(const TakenIn& taken) {
  for (std::size_t i = 0; i < std::min(kProblemsShown, taken.problems.size()); ++i) {
    const BookAttempt& attempt = taken.problems[i];
    std::cout << "  " << visible_name(attempt.origin) << ": " << visible_name(attempt.problem)
              << "\n";
  }
  if (taken.problems.size() > kProblemsShown) {
    std::cout << fmt::format("  and {} more; `tessera gradebook show` has them all\n",
                             taken.problems.size() - kProblemsShown);
  }
}

/// Prints what this machine failed to read and is not in the gradebook.
void print_failures(const TakenIn& taken) {
  if (taken.failures.empty()) return;
  std::cerr << fmt::format(
      "tessera: this machine could not read {}; the same command tries again\n",
      counted(taken.failures.size(), "submission"));
  for (std::size_t i = 0; i < std::min(kProblemsShown, taken.failures.size()); ++i)
    std::cerr << wrapped(printable(taken.failures[i]), "  ", terminal_options().width);
  if (taken.failures.size() > kProblemsShown)
    std::cerr << fmt::format("  and {} more\n", taken.failures.size() - kProblemsShown);
}

/// `status`, or that of a failed intake.
ExitStatus after_intake(const TakenIn& taken, ExitStatus status) {
  return taken.failures.empty() || status != kSuccess ? status : kInfrastructure;
}

void print_taken_in(const TakenIn& taken) {
  const auto people = static_cast<std::uint64_t>(taken.people);
  std::cout << fmt::format("{}: {} of {} {} with {}, {} of them new\n", to_string(taken.format),
                           counted(static_cast<std::uint64_t>(taken.submissions), "submission"),
                           grouped(people), people == 1 ? "person" : "people",
                           counted(static_cast<std::uint64_t>(taken.kernels), "kernel"),
                           grouped(static_cast<std::uint64_t>(taken.new_attempts)));
  if (!taken.only_person.empty()) {
    std::cout << wrapped(
        fmt::format("the whole download is taken for the work of '{0}', because of its name: no "
                    "folder, archive or .cu file in it is named after a student. If '{0}' is not a "
                    "student, rename the download",
                    visible_name(taken.only_person)),
        "", terminal_options().width);
  }
  if (taken.copies > 0) {
    const bool single = taken.copies == 1;
    std::cout << fmt::format(
        "{} of the kernels {} the same, byte for byte, as another student's, and {} its result\n",
        grouped(static_cast<std::uint64_t>(taken.copies)), single ? "is" : "are",
        single ? "shares" : "share");
  }
  if (!taken.problems.empty()) {
    std::cout << fmt::format("{} cannot be graded:\n", grouped(taken.problems.size()));
    print_problems(taken);
  }
  if (!taken.unknown.empty()) {
    std::cout << fmt::format(
        "{} not on the roster: ",
        taken.unknown.size() == 1 ? "1 person is" : grouped(taken.unknown.size()) + " people are");
    for (std::size_t i = 0; i < std::min<std::size_t>(5, taken.unknown.size()); ++i)
      std::cout << (i > 0 ? ", " : "") << visible_name(taken.unknown[i]);
    std::cout << (taken.unknown.size() > 5 ? ", ...\n" : "\n");
  }
}

/// Prints how to see what a new version of a lab would change; until then its old results are kept.
void print_stale(const Book& book, const std::vector<Lab>& labs, const std::string& file) {
  std::size_t stale = 0;
  for (const Lab& lab : labs)
    stale += book.ungraded(lab.id, {.stale = true}).size() - book.ungraded(lab.id, {}).size();
  if (stale == 0) return;
  std::cout << fmt::format(
      "{} {} of an earlier version of the lab; to see what would change: "
      "tessera gradebook regrade --gradebook {}\n",
      counted(stale, "result"), stale == 1 ? "is" : "are", file);
}

/// Thrown to carry the result of a dry run out of the transaction and undo it.
struct DryRun {
  TakenIn taken;
  std::vector<Job> jobs;
};

ExitStatus dry_run(Book& book, const BatchArguments& arguments, const GradingSetup& setup) {
  ExitStatus status = kSuccess;
  try {
    book.transaction([&] {
      if (const auto error = set_assignments(book, setup.labs, setup.grade.kit)) throw *error;
      const Expected<TakenIn> taken = take_in(book, arguments.intake);
      if (!taken) throw taken.error();
      throw DryRun{*taken, plan_jobs(book, setup.labs, setup.gpus, false)};
    });
  } catch (const Error& error) {
    return usage_error(error);
  } catch (const DryRun& found) {
    print_taken_in(found.taken);
    print_failures(found.taken);
    status = after_intake(found.taken, status);
    std::cout << fmt::format("{} of the kernels would be graded, {}; nothing was written\n",
                             grouped(results_of(found.jobs)), runs_text(found.jobs));
  }
  return status;
}

ExitStatus run_batch(BatchArguments arguments) {
  const auto prepared = set_up_grading(arguments.grading);
  if (const ExitStatus* status = std::get_if<ExitStatus>(&prepared)) return *status;
  const GradingSetup& setup = std::get<GradingSetup>(prepared);
  for (const Lab& lab : setup.labs) arguments.intake.labs.push_back(lab.id);
  if (!arguments.lab.empty()) {
    const auto lab = find_lab(setup.grade.kit.labs, arguments.lab);
    if (!lab) return usage_error(lab.error());
    arguments.intake.only_lab = lab->filename().string();
  }
  if (arguments.format != "auto") arguments.intake.format = source_format(arguments.format);

  const TemporaryDirectory scratch;  // of a dry run without a gradebook
  std::error_code ignored;
  const bool unwritten = arguments.dry_run && !fs::exists(arguments.grading.gradebook, ignored);
  const fs::path file = unwritten ? scratch.path() / "book" : fs::path(arguments.grading.gradebook);
  Expected<Book> book = Book::open(file, Book::Mode::create);
  if (!book) return usage_error(book.error());
  if (arguments.dry_run) return dry_run(*book, arguments, setup);
  if (const auto error = set_assignments(*book, setup.labs, setup.grade.kit))
    return infrastructure_error(*error);
  const Expected<TakenIn> taken = take_in(*book, arguments.intake);
  if (!taken) return usage_error(taken.error());
  print_taken_in(*taken);
  print_measurable(*book, setup);
  const ExitStatus graded =
      grade_jobs(*book, plan_jobs(*book, setup.labs, setup.gpus, false), setup);
  const ExitStatus status = after_intake(*taken, graded);
  print_stale(*book, setup.labs, arguments.grading.gradebook);
  for (const std::string& note : late_notes(marks(*book, setup.course)))
    std::cout << wrapped(printable(note), "", terminal_options().width);
  print_failures(*taken);
  if (status == kSuccess) {
    std::cout << fmt::format("next: tessera gradebook show --gradebook {}\n",
                             arguments.grading.gradebook);
  }
  return status;
}

}  // namespace

Command add_batch_command(CLI::App& app) {
  const auto arguments = std::make_shared<BatchArguments>();
  CLI::App* command = app.add_subcommand(
      "batch", "Grade a class: a download of a course system, or a folder of submissions");
  command->add_option("SUBMISSIONS", arguments->intake.submissions, "Folder or archive")
      ->required();
  command->add_option("--format", arguments->format, "System it comes from")
      ->check(CLI::IsMember(format_words()))
      ->capture_default_str();
  command->add_option("--roster", arguments->intake.roster, "Class list (CSV): who is who");
  command->add_option("--lab", arguments->lab, "All submissions are for this lab");
  command->add_flag("--dry-run", arguments->dry_run, "Say what would be graded; write nothing");
  add_grading_options(*command, arguments->grading);
  return {command, [arguments] { return run_batch(*arguments); }};
}

}  // namespace tessera
