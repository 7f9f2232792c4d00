#include "grader/gradebook/grading_worker.h"

#include <fmt/format.h>

#include <utility>

#include "common/sha256.h"
#include "common/temporary_directory.h"
#include "grader/compile/backend.h"
#include "grader/gpu/lock.h"
#include "grader/gpu/worker.h"
#include "grader/interpreter/interpreter.h"
#include "grader/judge/points/record_check.h"
#include "grader/judge/points/weigh.h"
#include "grader/process/processor_time.h"
#include "grader/process/second_try.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using End = SandboxResult::End;

/// The paths that a worker sees inside its sandbox.
constexpr const char* kKit = "/kit";
constexpr const char* kSubmission = "/submission";

SandboxRequest request_for(const Lab& lab, const fs::path& submission,
                           const WorkerOptions& options) {
  const bool own_room = options.tier == IsolationTier::bubblewrap;
  const fs::path kit = own_room ? fs::path(kKit) : options.stage;
  SandboxRequest request;
  request.command = {options.program.string(),
                     "grade",
                     lab.id,
                     "--labs",
                     (kit / "labs").string(),
                     "--from",
                     own_room ? kSubmission : submission.string(),
                     "--json",
                     "-",
                     "--seed",
                     std::to_string(options.seed),
                     "--threads",
                     std::to_string(options.threads),
                     "--backend",
                     options.gpu ? options.backend : "simulator",
                     "--compiler",
                     options.compiler,
                     "--device",
                     options.device};
  request.readable = {options.program, interpreter_beside(options.program),
                      compiler_beside(options.program)};
  for (const fs::path& folder : toolkit_folders()) request.readable.push_back(folder);
  if (own_room) request.mounted = {{options.stage, kKit}, {submission, kSubmission}};
  request.environment = {{"OMP_WAIT_POLICY", "passive"}};
  request.limits = options.limits;
  if (options.gpu) {
    request.command.insert(request.command.end(), {"--gpus", std::to_string(options.gpu->index)});
    request.gpu = true;
    request.readable.push_back(gpu_worker_beside(options.program));
    make_gpu_lock_file(*options.gpu);  // to be seen inside
    request.writable = {gpu_lock_file(*options.gpu)};
  }
  return request;
}

Record without_items(const Lab& lab, const Source& source, const std::string& path,
                     const WorkerOptions& options) {
  Record record;
  record.lab = lab.id;
  record.title = lab.title;
  record.path = path;
  record.sha256 = sha256(source.as_read());
  record.source = source.lines();
  record.seed = options.seed;
  record.backend = "simulator";
  record.isolation = to_string(options.tier);
  return record;
}

/// The record if the worker left none.
Record failed(Record record, const Lab& lab, Status status, const std::string& message,
              const std::string& hint) {
  record.items = weigh_nothing(lab, status, message, hint, {});
  sum_points(record);
  return record;
}

constexpr const char* kOurFault =
    "this is not the submission's fault; it is graded again next time";

/// The crash of a worker that neither left a record nor ran into one of the kernel's limits.
ProcessCrash crash_of(const SandboxResult& result) {
  const std::string head = result.log.substr(0, result.log.find('\n'));
  const auto crash = [&](const std::string& what) {
    return ProcessCrash(
        fmt::format("the process that grades {}{}{}", what, head.empty() ? "" : ": ", head));
  };
  switch (result.end) {
    case End::killed:
      return crash(fmt::format("ended with signal {}", result.status));
    case End::out_of_processes:
      return crash("started too many processes");
    case End::out_of_output:
      return crash("wrote too much");
    default:
      return crash(fmt::format("ended with status {} and no record", result.status));
  }
}

RecordOrigin origin_of(const Record& empty, const WorkerOptions& options) {
  RecordOrigin origin{
      .sha256 = empty.sha256, .seed = options.seed, .device = options.device_name, .gpu = {}};
  if (options.gpu) origin.gpu = options.gpu->profile.name;
  return origin;
}

/// The record of one run of the worker; nothing if `stop` ended it. Throws ProcessCrash if the
/// worker left no record, or an impossible one.
std::optional<Record> graded_once(const Lab& lab, const Record& empty,
                                  const SandboxRequest& request, const WorkerOptions& options,
                                  const std::atomic<bool>& stop) {
  const auto result = run_sandboxed(request, options.tier, stop);
  if (!result) return failed(empty, lab, Status::infra, result.error().str(), kOurFault);
  if (result->end == End::stopped) return std::nullopt;
  if (result->end == End::out_of_time) {
    const double most = options.limits.wall_seconds;
    const std::string stopped = fmt::format("grading was stopped after {:.0f} s", most);
    if (!took_fair_part(result->cpu_seconds, most))
      return failed(empty, lab, Status::infra,
                    stopped + fmt::format(", in which it got {:.1f} s of processor time",
                                          result->cpu_seconds),
                    kOurFault);
    return failed(empty, lab, Status::timeout, stopped,
                  "does a loop never end, or does a template grow without end?");
  }
  if (result->end == End::out_of_memory) {
    return failed(empty, lab, Status::error,
                  fmt::format("grading was stopped: it took more than {} MiB of memory",
                              options.limits.memory_bytes >> 20),
                  "does a template grow without end?");
  }
  if (result->end != End::exited) throw crash_of(*result);
  Expected<Record> record = read_record(result->output);
  if (!record) throw crash_of(*result);
  if (const auto reason = why_impossible(*record, lab, origin_of(empty, options)))
    throw ProcessCrash("its record cannot be: " + *reason);
  record->path = empty.path;
  record->source = empty.source;
  record->isolation = empty.isolation;
  record->seconds = result->seconds;
  return std::move(*record);
}

/// The record of `source`; nothing if `stop` ended it. Throws ProcessCrash if a crash repeats.
std::optional<Record> graded(const Lab& lab, const Source& source, const Record& empty,
                             const WorkerOptions& options, const std::atomic<bool>& stop) {
  const TemporaryDirectory folder;
  fs::create_directories(folder.path() / lab.id);
  folder.write(lab.id + "/kernel.cu", source.as_read());
  const SandboxRequest request = request_for(lab, folder.path(), options);
  return with_second_try([&] { return graded_once(lab, empty, request, options, stop); });
}

/// Whether the worker crashes on a file without a kernel too: then it is not the submission's
/// fault.
bool breaks_on_nothing(const Lab& lab, const WorkerOptions& options,
                       const std::atomic<bool>& stop) {
  try {
    graded(lab, "", without_items(lab, "", "kernel.cu", options), options, stop);
    return false;
  } catch (const ProcessCrash&) {
    return true;
  }
}

}  // namespace

std::optional<Record> grade_in_sandbox(const Lab& lab, const Source& source,
                                       const std::string& path, const WorkerOptions& options,
                                       const std::atomic<bool>& stop) {
  Record record = without_items(lab, source, path, options);
  try {
    return graded(lab, source, record, options, stop);
  } catch (const ProcessCrash& crash) {
    if (breaks_on_nothing(lab, options, stop))
      return failed(std::move(record), lab, Status::infra, crash.what(), kOurFault);
    if (stop) return std::nullopt;
    record.items = weigh_crash(lab, crash);
    sum_points(record);
    return record;
  }
}

}  // namespace tessera
