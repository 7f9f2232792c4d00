// Grades again what was graded under an older version of its lab, shows old and new marks, and
// writes them only with --yes. Points that waited for a GPU are measured if there is one.
#include "grader/cli/gradebook_regrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "common/numbers.h"
#include "grader/cli/batch_progress.h"
#include "grader/cli/gradebook_options.h"
#include "grader/cli/locations.h"
#include "grader/gradebook/display_name.h"

namespace tessera {
namespace {

constexpr std::size_t kRowsShown = 60;

struct RegradeArguments {
  GradingOptions grading;
  std::vector<std::string> labs;
  bool yes = false;
  bool never_lower = false;
};

using Replacement = std::pair<BookResult, BookResult>;

/// By lab and source: "Doe, Jane; Roe, Rich" for everyone who handed it in.
std::map<std::pair<std::string, std::string>, std::string> names_by_source(const Book& book) {
  std::map<RowId, std::string> names;
  for (const BookStudent& student : book.students())
    names[student.id] = display_name(student.identity);
  std::map<std::pair<std::string, std::string>, std::string> by_source;
  for (const BookAttempt& attempt : book.attempts()) {
    std::string& list = by_source[{attempt.lab, attempt.sha256}];
    for (const RowId student : attempt.students)
      list += (list.empty() ? "" : "; ") + names[student];
  }
  return by_source;
}

bool same_mark(const Replacement& replacement) {
  const auto& [before, after] = replacement;
  return before.score == after.score && before.max_score == after.max_score &&
         before.deferred == after.deferred;
}

void print_changes(const Book& book, const std::vector<Replacement>& replacements) {
  const auto names = names_by_source(book);
  std::size_t changed = 0;
  for (const Replacement& replacement : replacements) {
    if (same_mark(replacement)) continue;
    const auto& [before, after] = replacement;
    if (changed == 0)
      std::cout << fmt::format("\n{:<24} {:>15} {:>15} {:>7}  students\n", "lab", "old", "new", "");
    if (++changed > kRowsShown) continue;
    const auto found = names.find({before.lab, before.sha256});
    std::cout << fmt::format("{:<24} {:>7.1f} / {:>5.1f} {:>7.1f} / {:>5.1f} {:>+7.1f}  {}\n",
                             before.lab, before.score, before.max_score, after.score,
                             after.max_score, after.score - before.score,
                             found == names.end() ? "" : found->second);
  }
  if (changed > kRowsShown) std::cout << fmt::format("and {} more\n", changed - kRowsShown);
  std::cout << fmt::format("\n{} results change, {} stay as they are\n", grouped(changed),
                           grouped(replacements.size() - changed));
}

/// The results that wait to replace those of an older version.
std::vector<Replacement> all_replacements(const Book& book, const std::vector<Lab>& labs) {
  std::vector<Replacement> replacements;
  for (const Lab& lab : labs)
    std::ranges::move(book.replacements(lab.id), std::back_inserter(replacements));
  return replacements;
}

ExitStatus settle(Book& book, const std::vector<Replacement>& replacements, bool write) {
  if (replacements.empty()) {
    std::cout << "all results are of the labs as they are now\n";
    return kSuccess;
  }
  print_changes(book, replacements);
  if (!write) {
    std::cout << "nothing has changed yet; the same command with --yes writes the new marks\n";
    return kSuccess;
  }
  std::vector<BookResult> accepted;
  for (const Replacement& replacement : replacements) accepted.push_back(replacement.second);
  book.accept(accepted);
  std::cout << "written; the old results are kept beside the new ones\n";
  return kSuccess;
}

/// Removes the replacements that would cost a student points; returns how many.
std::size_t keep_better(std::vector<Replacement>& replacements) {
  return std::erase_if(replacements, [](const Replacement& replacement) {
    return replacement.second.score < replacement.first.score;
  });
}

/// Keeps the labs that `words` name; all of them if there are no words.
std::optional<Error> keep_named(const std::vector<std::string>& words, std::vector<Lab>& labs) {
  if (words.empty()) return std::nullopt;
  std::vector<Lab> named;
  for (const std::string& word : words) {
    const auto found =
        std::ranges::find_if(labs, [&](const Lab& lab) { return names_lab(word, lab.id); });
    if (found == labs.end())
      return Error{.file = "--lab " + word, .message = "the course has no such lab"};
    named.push_back(*found);
  }
  labs = std::move(named);
  return std::nullopt;
}

ExitStatus run_regrade(const RegradeArguments& arguments) {
  auto prepared = set_up_grading(arguments.grading);
  if (const ExitStatus* status = std::get_if<ExitStatus>(&prepared)) return *status;
  GradingSetup& setup = std::get<GradingSetup>(prepared);
  if (const auto error = keep_named(arguments.labs, setup.labs)) return usage_error(*error);
  Expected<Book> book = Book::open(arguments.grading.gradebook, Book::Mode::write);
  if (!book) return usage_error(book.error());
  if (const auto error = set_assignments(*book, setup.labs, setup.grade.kit))
    return infrastructure_error(*error);
  print_measurable(*book, setup);
  std::vector<Job> jobs = plan_jobs(*book, setup.labs, setup.gpus, true);
  if (!jobs.empty()) {
    const ExitStatus status = grade_jobs(*book, std::move(jobs), setup);
    if (status != kSuccess) return status;
  }
  std::vector<Replacement> replacements = all_replacements(*book, setup.labs);
  const std::size_t kept = arguments.never_lower ? keep_better(replacements) : 0;
  if (kept > 0)
    std::cout << fmt::format("{} would be lower and stay as they are\n", counted(kept, "result"));
  return settle(*book, replacements, arguments.yes);
}

}  // namespace

Command add_regrade_command(CLI::App& gradebook) {
  const auto arguments = std::make_shared<RegradeArguments>();
  CLI::App* command = gradebook.add_subcommand(
      "regrade", "Grade again what an edited lab has made stale; shows old and new marks");
  add_grading_options(*command, arguments->grading);
  command->add_option("--lab", arguments->labs, "Only this lab; several: --lab 03 --lab 04");
  command->add_flag("--never-lower", arguments->never_lower,
                    "Results that would lose points stay as they are");
  command->add_flag("--yes", arguments->yes, "Write the new marks");
  return {command, [arguments] { return run_regrade(*arguments); }};
}

}  // namespace tessera
