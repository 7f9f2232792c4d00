#include "grader/authoring/proof/proof_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/numbers.h"
#include "common/sha256.h"
#include "common/text.h"
#include "grader/authoring/proof/lab_faults.h"
#include "grader/authoring/proof/wrong_kernels.h"
#include "grader/judge/points/threshold.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Adds the job with each compiler.
void add_jobs(const ProofJob& job, const std::vector<CompilerInfo>& compilers,
              std::vector<ProofJob>& jobs) {
  for (const CompilerInfo& compiler : compilers) {
    jobs.push_back(job);
    jobs.back().compiler = compiler;
  }
}

ProofJob job_of(Role role, const fs::path& kernel, std::uint64_t seed) {
  ProofJob job;
  job.role = role;
  job.kernel = kernel;
  job.seed = seed;
  return job;
}

std::string skeleton_fault(const Record& record) {
  for (const Item& item : record.items) {
    if (item.status == Status::error || item.status == Status::infra)
      return fmt::format("{}: {}", to_string(item.status), item.message.str());
    if (item.id.starts_with("correctness/") && item.points > 0)
      return fmt::format("wins {} ({}): {:g} points", item.id, item.title, item.points);
  }
  return "";
}

std::string wrong_fault(const Expectation& expectation, const Record& record) {
  const std::vector<std::string> missing = missing_words(expectation, record);
  if (missing.empty()) return "";
  const std::vector<std::string> lost = lost_words(record);
  return fmt::format("does not lose: {}; it gets: {}", fmt::join(missing, ", "),
                     lost.empty() ? "all points" : fmt::to_string(fmt::join(lost, ", ")));
}

Margin margin_of(const Item& item, std::string requirement, double limit, bool at_most,
                 double value, const std::string& compiler) {
  const double room = at_most ? limit - value : value - limit;
  const double percent = std::abs(limit) > 0 ? 100 * room / std::abs(limit) : 0;
  return {item.id, std::move(requirement), limit, {{compiler, value, percent}}};
}

/// The item's number, if it was measured.
std::optional<double> measured(const Item& item, Metric metric) {
  const auto found = item.metrics.find(metric);
  return found == item.metrics.end() ? std::nullopt : std::optional(found->second);
}

const Item* find_item(const Record& record, const std::string& kind, std::size_t index) {
  const auto item =
      std::ranges::find(record.items, fmt::format("{}/{}", kind, index + 1), &Item::id);
  return item == record.items.end() ? nullptr : &*item;
}

std::vector<Margin> margins_of(const Lab& lab, const std::string& device, const Record& record) {
  std::vector<Margin> margins;
  for (std::size_t i = 0; i < lab.technique.size(); ++i) {
    const TechniqueItem& technique = lab.technique[i];
    const Item* item = find_item(record, "technique", i);
    const auto value = item == nullptr ? std::nullopt : measured(*item, technique.metric);
    if (!value) continue;
    const double limit = technique.at_most ? *technique.at_most : technique.at_least.value_or(0);
    margins.push_back(margin_of(*item, item->title, limit, technique.at_most.has_value(), *value,
                                record.compiler));
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    const Threshold& threshold = lab.thresholds[i];
    const auto range = range_on(threshold, device);
    const Item* item = find_item(record, "performance", i);
    const auto value = item == nullptr ? std::nullopt : measured(*item, threshold.metric);
    if (!range || !value) continue;
    margins.push_back(
        margin_of(*item, fmt::format("{} full {:g}", to_string(threshold.metric), range->full),
                  range->full, !about(threshold.metric).more_is_better, *value, record.compiler));
  }
  return margins;
}

std::optional<NearestStepLimit> nearest_step_limit(const Record& record) {
  std::optional<NearestStepLimit> nearest;
  for (const Item& item : record.items) {
    if (item.steps)
      nearest =
          nearer(nearest, NearestStepLimit{item.id, item.title, record.compiler, *item.steps});
  }
  return nearest;
}

std::string to_string(Role role) {
  switch (role) {
    case Role::reference:
      return "reference";
    case Role::skeleton:
      return "skeleton";
    case Role::wrong:
      return "wrong";
    case Role::ignoring:
      return "ignoring";
    case Role::winning:
      return "winning";
  }
  return "";
}

json to_json(const Margin& margin) {
  const MarginValue& value = margin.values.front();
  return {{"item", margin.item},   {"requirement", margin.requirement},
          {"limit", margin.limit}, {"compiler", value.compiler},
          {"value", value.value},  {"percent", value.percent}};
}

Margin margin_from(const json& entry) {
  return {entry.at("item"),
          entry.at("requirement"),
          entry.at("limit"),
          {{entry.at("compiler"), entry.at("value"), entry.at("percent")}}};
}

json to_json(const NearestStepLimit& steps) {
  return {{"item", steps.item},
          {"title", steps.title},
          {"compiler", steps.compiler},
          {"used", steps.steps.used},
          {"limit", steps.steps.limit}};
}

NearestStepLimit steps_from(const json& entry) {
  return {entry.at("item"),
          entry.at("title"),
          entry.at("compiler"),
          {entry.at("used"), entry.at("limit")}};
}

/// What is kept of a job without a fault. A job with a fault is always tried again.
json verdict_of(const ProofJob& job) {
  json verdict = {{"margins", json::array()}};
  for (const Margin& margin : job.margins) verdict["margins"].push_back(to_json(margin));
  if (job.steps) verdict["steps"] = to_json(*job.steps);
  return verdict;
}

void set_verdict(const json& verdict, ProofJob& job) {
  job.kept = true;
  for (const json& margin : verdict.at("margins")) job.margins.push_back(margin_from(margin));
  if (verdict.contains("steps")) job.steps = steps_from(verdict.at("steps"));
}

/// All that decides what a job shows, apart from the lab.
std::vector<std::string> subject_of(const ProofJob& job, const std::string& source,
                                    const GradeOptions& options) {
  const auto identity = [](CompilerKind kind) {
    const auto known = compiler_identity(kind);
    return known ? *known : "";
  };
  const CompilerKind reference = options.reference_compiler.value_or(options.compiler.kind);
  std::vector<std::string> subject = {"kernel",
                                      to_string(job.role),
                                      job.kernel_name(),
                                      source,
                                      identity(options.compiler.kind),
                                      identity(reference),
                                      std::to_string(options.seed),
                                      job.other.of_this_lab ? "of this lab" : ""};
  for (const Expectation* expectation : {&job.expectation, &job.other.expectation}) {
    subject.push_back(std::to_string(expectation->words.size()));
    subject.insert(subject.end(), expectation->words.begin(), expectation->words.end());
  }
  return subject;
}

/// Whether the same grading will always have this record, on any machine.
bool is_certain(const Record& record) {
  return std::ranges::none_of(record.items, [](const Item& item) {
    return item.status == Status::infra ||
           std::ranges::count(item.findings, FindingKind::grader_crash, &Finding::kind) > 0;
  });
}

void judge(const Lab& lab, const Record& record, const std::string& device, ProofJob& job) {
  switch (job.role) {
    case Role::reference:
      job.fault = reference_fault(record);
      job.margins = margins_of(lab, device, record);
      job.steps = nearest_step_limit(record);
      break;
    case Role::skeleton:
      job.fault = skeleton_fault(record);
      break;
    case Role::wrong:
      job.fault = wrong_fault(job.expectation, record);
      break;
    case Role::ignoring:
      job.fault = ignoring_fault(job.other, record);
      break;
    case Role::winning:
      job.fault = winning_fault(job.other, record);
      break;
  }
}

/// The item that a fault is about: its first word. Its numbers may differ with another seed.
std::string subject_of(const std::string& fault) {
  return fault.substr(0, fault.find_first_of(" :"));
}

/// Runs that show the same fault.
struct FaultRuns {
  std::string fault;
  std::string kernel;
  std::string first;
  std::size_t more = 0;

  std::string text() const {
    const std::string others = more == 0 ? "" : fmt::format(" (and {} more)", counted(more, "run"));
    return fmt::format("{}{}: {}", first, others, fault);
  }
};

}  // namespace

std::optional<NearestStepLimit> nearer(std::optional<NearestStepLimit> known,
                                       const std::optional<NearestStepLimit>& other) {
  return other && (!known || other->share() > known->share()) ? other : known;
}

std::string ProofJob::kernel_name() const {
  if (!other.name.empty()) return other.name;
  return role == Role::wrong ? "wrong/" + kernel.filename().string() : "kernel.cu";
}

std::string ProofJob::name() const {
  return role == Role::reference
             ? fmt::format("{} with {}, seed {}", kernel_name(), compiler.version, seed)
             : fmt::format("{} with {}", kernel_name(), compiler.version);
}

Expected<std::vector<ProofJob>> make_jobs(const Lab& lab, const OtherKernelPlaces& places,
                                          const std::vector<CompilerInfo>& compilers,
                                          std::uint64_t seed, int seeds) {
  std::vector<ProofJob> jobs;
  for (int i = 0; i < seeds; ++i) {
    add_jobs(job_of(Role::reference, places.solution / "kernel.cu",
                    seed + static_cast<std::uint64_t>(i)),
             compilers, jobs);
  }
  add_jobs(job_of(Role::skeleton, lab.directory / "kernel.cu", seed), compilers, jobs);
  const auto wrong = read_wrong_kernels(lab, places.solution);
  if (!wrong) return wrong.error();
  for (const WrongKernel& kernel : *wrong) {
    ProofJob job = job_of(Role::wrong, kernel.file, seed);
    job.expectation = kernel.expectation;
    add_jobs(job, compilers, jobs);
  }
  for (const Role role : {Role::ignoring, Role::winning}) {
    const auto others =
        role == Role::ignoring ? ignoring_kernels(lab, places) : winning_kernels(lab, places);
    if (!others) return others.error();
    for (const OtherKernel& kernel : *others) {
      ProofJob job = job_of(role, "", seed);
      job.other = kernel;
      add_jobs(job, compilers, jobs);
    }
  }
  return jobs;
}

void do_job(const Lab& lab, const GradeOptions& shared, const KeptVerdicts& kept, ProofJob& job) {
  GradeOptions options = shared;
  options.compiler.kind = job.compiler.kind;
  options.seed = job.seed;
  options.machine.host_threads = 1;
  options.machine.gpu.reset();
  options.machine.simulate = true;
  job.done = true;
  const Expected<std::string> source =
      job.kernel.empty() ? job.other.source : read_file(job.kernel);
  const auto subject = subject_of(job, source ? *source : "", options);
  if (const auto verdict = source ? kept.find(subject) : std::nullopt)
    return set_verdict(*verdict, job);
  const Record record = job.kernel.empty()
                            ? grade_source(lab, job.other.name, Source(job.other.source), options)
                            : grade(lab, job.kernel, options);
  judge(lab, record, options.machine.device.name, job);
  if (source && job.fault.empty() && is_certain(record) && record.sha256 == sha256(*source))
    kept.keep(subject, verdict_of(job));
}

ProofPart part_of(const std::vector<ProofJob>& jobs, Role role) {
  ProofPart part;
  std::vector<FaultRuns> faults;
  for (const ProofJob& job : jobs) {
    if (job.role != role || !job.done) continue;
    ++part.total;
    if (job.fault.empty()) {
      ++part.passed;
      continue;
    }
    // The same fault of two kernels counts as two.
    const auto same = std::ranges::find_if(faults, [&](const FaultRuns& known) {
      const bool one_kernel = role == Role::reference || role == Role::skeleton;
      return (one_kernel || known.kernel == job.kernel_name()) &&
             subject_of(known.fault) == subject_of(job.fault);
    });
    if (same == faults.end()) {
      faults.push_back({job.fault, job.kernel_name(), job.name()});
    } else {
      ++same->more;
    }
  }
  for (const FaultRuns& runs : faults) part.faults.push_back(runs.text());
  return part;
}

}  // namespace tessera
