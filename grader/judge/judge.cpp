#include "grader/judge/judge.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "common/text.h"
#include "grader/judge/program.h"
#include "grader/judge/simulate.h"
#include "grader/judge/weigh.h"

namespace tessera {
namespace {

std::vector<Item> refuse(const Lab& lab, const Refusal& refusal) {
  return weigh_nothing(lab, refusal.status, refusal.message, refusal.hint, refusal.findings);
}

/// Nobody began: the skeleton as it was handed out. Any other finding tells that somebody did.
bool nothing_written(const std::vector<CaseOutcome>& outcomes) {
  return std::ranges::all_of(outcomes, [](const CaseOutcome& outcome) {
    return outcome.unwritten && outcome.findings.size() == 1;
  });
}

void run_cases(const Lab& lab, const Program& program, const GradeOptions& options,
               Record& record) {
  std::vector<CaseOutcome> outcomes;
  int timeouts = 0;
  for (std::size_t number = 1; number <= lab.cases.size(); ++number) {
    outcomes.push_back(simulate_case(lab, program, number, timeouts, options));
    timeouts += outcomes.back().status == Status::timeout ? 1 : 0;
  }
  record.untouched = nothing_written(outcomes);
  record.items = weigh(lab, outcomes);
  record.lines = std::move(outcomes[largest_case(lab)].lines);
}

void grade_into(const Lab& lab, const std::filesystem::path& submission,
                const GradeOptions& options, Record& record) {
  const auto content = read_submission(lab, submission);
  if (const Refusal* refusal = std::get_if<Refusal>(&content)) {
    record.items = refuse(lab, *refusal);
    return;
  }
  const std::string& source = std::get<std::string>(content);
  record.sha256 = sha256(source);
  record.source = split_lines(normalize_source(source));
  const auto program = build_program(lab, source, options, record.compiler);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) {
    record.items = refuse(lab, *refusal);
  } else {
    run_cases(lab, std::get<Program>(program), options, record);
  }
}

Record empty_record(const Lab& lab, const std::filesystem::path& submission,
                    const GradeOptions& options) {
  Record record;
  record.lab = lab.id;
  record.title = lab.title;
  record.path = submission.string();
  record.seed = options.seed;
  record.backend = "simulator";
  record.device = "simulated " + options.device.name;
  return record;
}

}  // namespace

Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Record record = empty_record(lab, submission, options);
  try {
    grade_into(lab, submission, options, record);
  } catch (const std::exception& exception) {
    record.items =
        weigh_nothing(lab, Status::infra, std::string("the grader failed: ") + exception.what(),
                      "this is not the submission's fault; please report it", {});
  }
  sum_points(record);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace tessera
