// Grades what has no result yet, with several workers at once; each result goes into the book as
// soon as it is there.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "grader/gradebook/book.h"
#include "grader/gradebook/grading_worker.h"
#include "grader/gradebook/kit.h"

namespace tessera {

/// One grading, and whose results it makes: sources with the same code_key are graded once.
struct Job {
  std::size_t lab = 0;              // index into the labs
  std::string source;               // SHA-256 of the source that is graded
  std::vector<std::string> others;  // SHA-256 of those that get a copy of its result
  std::string graded;    // SHA-256 of a source that has a result already: nothing is run then
  std::string code_key;  // of all of them
};

/// Puts the labs with their present hashes into the book.
std::optional<Error> set_assignments(Book& book, const std::vector<Lab>& labs,
                                     const KitFolders& kit);

/// Whether one of the GPUs can measure points of the lab that wait for a clock.
bool can_measure(const Lab& lab, const std::vector<GpuDevice>& gpus);

/// Which results of the lab are graded again on a machine with these GPUs.
GradeAgain again_on(const Lab& lab, const std::vector<GpuDevice>& gpus, bool stale);

/// What is to be graded: sources without a result, or with one that ended `infra`, or with points
/// that one of `gpus` can measure or judge; with `stale` also those whose result is of an older
/// version of the lab.
std::vector<Job> plan_jobs(Book& book, const std::vector<Lab>& labs,
                           const std::vector<GpuDevice>& gpus, bool stale);

struct JobsRequest {
  std::vector<Lab> labs;
  GradeOptions grade;           // for the references that labs are measured against
  WorkerOptions worker;         // but for stage, seed and gpu
  std::string seed_key;         // the book's
  std::vector<GpuDevice> gpus;  // workers take turns on them
  int workers = 1;              // at once
  RowId run = 0;
};

/// What a job came to, for showing progress; `results` holds the job's own first, then the others'.
struct JobEnd {
  const Job& job;
  const std::vector<BookResult>& results;
  const Record& record;  // of the source that was graded
};

/// Does the jobs; each result is in the book before `on_end` is called for it (one call at a time).
/// Returns early if `stop` is set. Errors: what keeps every worker from working.
std::optional<Error> do_jobs(Book& book, std::vector<Job> jobs, const JobsRequest& request,
                             const std::function<void(const JobEnd&)>& on_end,
                             const std::atomic<bool>& stop);

}  // namespace tessera
