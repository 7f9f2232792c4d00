#include "grader/gradebook/batch.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

#include "common/parallel.h"
#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/gradebook/code_key.h"
#include "grader/gradebook/grading_seed.h"
#include "grader/judge/points/threshold.h"
#include "grader/lab/course.h"
#include "grader/lab/lab_hash.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Source source_of(const Book& book, const std::string& hash) {
  std::optional<std::string> source = book.source(hash);
  if (!source) throw std::runtime_error("the gradebook has lost the source " + hash);
  return Source(*std::move(source));
}

std::string now() {
  return format_time(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
}

/// The code_key of sources: from the book, or computed once and written to it at the end.
class CodeKeys {
 public:
  explicit CodeKeys(const Book& book) : book_(book), known_(book.source_keys(kCodeKeyVersion)) {}

  const std::string& of(const std::string& sha256) {
    const auto known = known_.find(sha256);
    if (known != known_.end()) return known->second;
    const auto [made, is_new] = new_.try_emplace(sha256);
    if (is_new) made->second = code_key(source_of(book_, sha256));
    return made->second;
  }

  const std::map<std::string, std::string>& made() const { return new_; }

 private:
  const Book& book_;
  std::map<std::string, std::string> known_;
  std::map<std::string, std::string> new_;
};

/// Sources of `accepted` that were themselves run under the lab's present version and are not to be
/// run `again`, by code_key.
std::map<std::string, std::string> graded_keys(const std::vector<BookResult>& accepted,
                                               const BookAssignment& lab, const GradeAgain& again,
                                               CodeKeys& keys) {
  std::map<std::string, std::string> graded;
  for (const BookResult& result : accepted) {
    if (result.lab != lab.lab || result.lab_hash != lab.lab_hash || result.infra) continue;
    if (again.deferred && result.deferred > 0) continue;
    if (again.awaits_gpu && result.awaits_gpu) continue;
    if (result.shared_from.empty()) graded.try_emplace(keys.of(result.sha256), result.sha256);
  }
  return graded;
}

/// Whether the simulator could not judge a case, and no GPU has tried.
bool awaits_gpu(const Record& record) {
  return record.backend == "simulator" && std::ranges::any_of(record.items, [](const Item& item) {
           return item.status == Status::review && item.id.starts_with("correctness/");
         });
}

/// Whether the record stands for other sources with the same code. Comments and blanks, in which
/// such sources may differ, can break a compiler down, but change nothing once it has compiled.
bool stands_for_all(const Record& record) {
  return std::ranges::any_of(record.items, [](const Item& item) {
    return item.id.starts_with("correctness/") && item.status != Status::error;
  });
}

class Runner {
 public:
  Runner(Book& book, std::vector<Job> jobs, const JobsRequest& request,
         const std::function<void(const JobEnd&)>& on_end, const std::atomic<bool>& stop)
      : book_(book), jobs_(std::move(jobs)), request_(request), on_end_(on_end), stop_(stop) {
    for (const BookAssignment& assignment : book.assignments())
      hashes_[assignment.lab] = assignment.lab_hash;
  }

  void run(const fs::path& stage) {
    in_parallel(jobs_.size(), request_.workers, [&](std::size_t index, std::size_t thread) {
      if (!stop_) do_job(jobs_[index], worker_options(jobs_[index], thread, stage));
    });
  }

 private:
  WorkerOptions worker_options(const Job& job, std::size_t thread, const fs::path& stage) const {
    WorkerOptions options = request_.worker;
    const std::string& lab = request_.labs.at(job.lab).id;
    options.stage = stage / lab;
    options.seed = grading_seed(request_.seed_key, lab, job.code_key);
    if (!request_.gpus.empty()) options.gpu = request_.gpus[thread % request_.gpus.size()];
    return options;
  }

  void do_job(const Job& job, const WorkerOptions& options) {
    const Lab& lab = request_.labs.at(job.lab);
    const std::string origin = lab.id + "/kernel.cu";
    const Source source = locked_source(job.source);
    std::optional<Record> record;
    if (!job.graded.empty()) {
      const Record graded = locked_record(lab.id, job.graded);
      if (!stands_for_all(graded)) {
        Job again = job;
        again.graded.clear();
        return do_job(again, options);
      }
      record = copied_record(graded, locked_source(job.graded), source, origin);
    } else {
      record = grade_in_sandbox(lab, source, origin, options, stop_);
    }
    if (!record) return;
    if (stands_for_all(*record)) return finish(job, lab, source, *record);
    finish(alone(job, job.source), lab, source, *record);
    for (const std::string& other : job.others) {
      if (!stop_) do_job(alone(job, other), options);
    }
  }

  /// The job of grading `source`, one of the sources of `job`, for itself.
  static Job alone(const Job& job, const std::string& source) {
    return {.lab = job.lab, .source = source, .others = {}, .graded = "", .code_key = job.code_key};
  }

  void finish(const Job& job, const Lab& lab, const Source& source, const Record& record) {
    const std::lock_guard lock(mutex_);
    std::vector<BookResult> results = {result_of(lab, job.source, record, job.graded)};
    const std::string& shared_from = job.graded.empty() ? job.source : job.graded;
    for (const std::string& other : job.others) {
      results.push_back(
          result_of(lab, other, copied_record(record, source, source_of(book_, other), record.path),
                    shared_from));
    }
    book_.add_results(results);
    on_end_({job, results, record});
  }

  BookResult result_of(const Lab& lab, const std::string& source, const Record& record,
                       const std::string& shared_from) const {
    BookResult result;
    result.lab = lab.id;
    result.sha256 = source;
    result.lab_hash = hashes_.at(lab.id);
    result.run = request_.run;
    Record stored = record;
    stored.source.clear();  // the book has it under its hash
    result.record = json_report({stored});
    result.score = record.score;
    result.max_score = record.max_score;
    result.deferred = record.deferred;
    result.review = sums_of(record.items).review;
    result.awaits_gpu = awaits_gpu(record);
    result.infra = exit_status({record}) == 3;
    result.shared_from = shared_from;
    result.ended_at = now();
    return result;
  }

  Source locked_source(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    return source_of(book_, hash);
  }

  Record locked_record(const std::string& lab, const std::string& hash) {
    const std::lock_guard lock(mutex_);
    const auto result = book_.result(lab, hash);
    Expected<Record> record = result ? read_record(result->record)
                                     : Expected<Record>(Error{.message = "no result of " + hash});
    if (!record)
      throw std::runtime_error("the gradebook's record is damaged: " + record.error().str());
    return std::move(*record);
  }

  Book& book_;
  std::vector<Job> jobs_;
  const JobsRequest& request_;
  const std::function<void(const JobEnd&)>& on_end_;
  const std::atomic<bool>& stop_;
  std::map<std::string, std::string> hashes_;  // by lab
  std::mutex mutex_;                           // of the book
};

}  // namespace

std::optional<Error> set_assignments(Book& book, const std::vector<Lab>& labs,
                                     const KitFolders& kit) {
  for (const Lab& lab : labs) {
    const Expected<std::string> hash = lab_hash(lab, kit);
    if (!hash) return hash.error();
    book.set_assignment({lab.id, lab.title, lab.max_points(), *hash});
  }
  return std::nullopt;
}

bool can_measure(const Lab& lab, const std::vector<GpuDevice>& gpus) {
  return std::ranges::any_of(lab.thresholds, [&](const Threshold& threshold) {
    return !threshold.is_modelled() && std::ranges::any_of(gpus, [&](const GpuDevice& gpu) {
      return range_on(threshold, gpu.profile.name).has_value();
    });
  });
}

GradeAgain again_on(const Lab& lab, const std::vector<GpuDevice>& gpus, bool stale) {
  return {.stale = stale, .deferred = can_measure(lab, gpus), .awaits_gpu = !gpus.empty()};
}

std::vector<Job> plan_jobs(Book& book, const std::vector<Lab>& labs,
                           const std::vector<GpuDevice>& gpus, bool stale) {
  std::vector<Job> jobs;
  CodeKeys keys(book);
  const std::vector<BookAssignment> assignments = book.assignments();
  const std::vector<BookResult> accepted = book.accepted_results();
  for (std::size_t lab = 0; lab < labs.size(); ++lab) {
    const auto assignment = std::ranges::find(assignments, labs[lab].id, &BookAssignment::lab);
    if (assignment == assignments.end()) continue;
    const GradeAgain again = again_on(labs[lab], gpus, stale);
    const auto graded = graded_keys(accepted, *assignment, again, keys);
    std::map<std::string, std::size_t> job_of;  // by code_key
    for (const Ungraded& ungraded : book.ungraded(labs[lab].id, again)) {
      const std::string& key = keys.of(ungraded.sha256);
      const auto [found, is_new] = job_of.try_emplace(key, jobs.size());
      if (!is_new) {
        jobs[found->second].others.push_back(ungraded.sha256);
        continue;
      }
      const auto same = graded.find(key);
      const bool known = same != graded.end() && same->second != ungraded.sha256;
      jobs.push_back({.lab = lab,
                      .source = ungraded.sha256,
                      .others = {},
                      .graded = known ? same->second : "",
                      .code_key = key});
    }
  }
  if (!keys.made().empty()) book.set_source_keys(kCodeKeyVersion, keys.made());
  return jobs;
}

std::optional<Error> do_jobs(Book& book, std::vector<Job> jobs, const JobsRequest& request,
                             const std::function<void(const JobEnd&)>& on_end,
                             const std::atomic<bool>& stop) {
  const TemporaryDirectory stage;
  GradeOptions grade = request.grade;
  if (!request.gpus.empty()) grade.machine.gpu = request.gpus.front();
  if (auto error = stage_kit(request.labs, grade, stage.path())) return error;
  Runner(book, std::move(jobs), request, on_end, stop).run(stage.path());
  return std::nullopt;
}

}  // namespace tessera
