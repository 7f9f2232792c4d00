#include "grader/authoring/calibration/calibration_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/authoring/mutation/trial.h"
#include "grader/authoring/proof/wrong_kernels.h"
#include "grader/judge/run/modelled.h"
#include "grader/judge/run/performance.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A metric of a lab on a device, and what was measured with a kernel.
struct Measurement {
  const Lab* lab = nullptr;
  const Threshold* threshold = nullptr;
  const GpuDevice* gpu = nullptr;  // nullptr: the metric is modelled
  fs::path kernel;
  CalibrationMeasurement measurement;

  std::string name() const {
    return measurement.kernel.empty() ? lab->id : lab->id + " " + measurement.kernel;
  }
};

/// Right kernels that lose points, by the lab's id.
using Rivals = std::map<std::string, std::vector<WrongKernel>>;

Expected<Rivals> read_rivals(const std::vector<Lab>& labs, const fs::path& solutions) {
  Rivals rivals;
  for (const Lab& lab : labs) {
    rivals[lab.id];
    for (const char* folder : {"wrong", "ignores"}) {
      auto kernels = read_wrong_kernels(lab, solutions / lab.id, folder);
      if (!kernels) return kernels.error();
      for (WrongKernel& kernel : *kernels) {
        if (loses_no_correctness(kernel.expectation)) rivals[lab.id].push_back(std::move(kernel));
      }
    }
  }
  return rivals;
}

std::string reference_sha256(const std::string& lab, const fs::path& solutions) {
  if (lab.empty()) return "";
  const Expected<std::string> source = read_file(solutions / lab / "kernel.cu");
  return source ? sha256(*source) : "";
}

Measurement job_of(const Lab& lab, const Threshold& threshold, const GpuDevice* gpu,
                   const GradeOptions& options) {
  CalibrationMeasurement measurement;
  measurement.lab = lab.id;
  measurement.metric = threshold.metric;
  measurement.over = threshold.over;
  measurement.device = gpu != nullptr ? gpu->profile.name : options.machine.device.name;
  measurement.driver = gpu != nullptr ? gpu->driver : "";
  measurement.shape = shape_title(lab);
  measurement.reference_sha256 = reference_sha256(lab.id, options.kit.solutions);
  measurement.baseline_sha256 = reference_sha256(threshold.over, options.kit.solutions);
  return {&lab, &threshold, gpu, options.kit.solutions / lab.id / "kernel.cu",
          std::move(measurement)};
}

void add_jobs(const Measurement& reference, const std::vector<WrongKernel>& rivals,
              std::vector<Measurement>& jobs) {
  jobs.push_back(reference);
  if (reference.threshold->metric == Metric::speedup) return;  // the baseline is its rival
  for (const WrongKernel& rival : rivals) {
    Measurement job = reference;
    job.kernel = rival.file;
    job.measurement.kernel = rival.name();
    job.measurement.kernel_sha256 = sha256(rival.source);
    jobs.push_back(std::move(job));
  }
}

/// The measurements to take: each metric of a lab once, whatever the number of thresholds on it.
std::vector<Measurement> jobs_of(const std::vector<Lab>& labs, const Rivals& rivals,
                                 const MeasureOptions& options, bool modelled) {
  std::vector<const GpuDevice*> devices = {nullptr};
  if (!modelled) {
    devices.clear();
    for (const GpuDevice& gpu : options.gpus) devices.push_back(&gpu);
  }
  std::vector<Measurement> jobs;
  for (const Lab& lab : labs) {
    for (const GpuDevice* gpu : devices) {
      for (const Threshold& threshold : lab.thresholds) {
        const auto measured = [&](const Measurement& job) {
          return job.lab == &lab && job.gpu == gpu && job.threshold->metric == threshold.metric &&
                 job.threshold->over == threshold.over;
        };
        if (threshold.is_modelled() == modelled && std::ranges::none_of(jobs, measured))
          add_jobs(job_of(lab, threshold, gpu, options.grade), rivals.at(lab.id), jobs);
      }
    }
  }
  return jobs;
}

void fail(CalibrationRun& run, std::string failure, std::string hint = "") {
  run.failure = std::move(failure);
  run.hint = std::move(hint);
}

/// The kernel of a job and its source.
struct BuiltKernel {
  std::string source;
  Program program;
};

/// Nothing if the kernel cannot be built; `run` then says why.
std::optional<BuiltKernel> build(const Measurement& job, const GradeOptions& options,
                                 CalibrationRun& run) {
  Expected<std::string> source = read_file(job.kernel);
  if (!source) return fail(run, source.error().str()), std::nullopt;
  auto program = build_program(*job.lab, Source(*source), options, run.compiler);
  if (const Refusal* refusal = std::get_if<Refusal>(&program))
    return fail(run, refusal->message, refusal->hint), std::nullopt;
  return BuiltKernel{std::move(*source), std::get<Program>(std::move(program))};
}

void time_kernel(const Measurement& job, const GradeOptions& options, CalibrationRun& run) {
  const auto kernel = build(job, options, run);
  if (!kernel) return;
  const auto measured = measure_metric(*job.lab, kernel->program, *job.threshold, options);
  if (const Item* item = std::get_if<Item>(&measured)) return fail(run, item->message, item->hint);
  run.value = std::get<MetricInterval>(measured);
}

/// Models the kernel's time, which does not depend on the ends of a threshold or on its devices.
void model_kernel(const Measurement& job, const GradeOptions& options, CalibrationRun& run) {
  Lab lab = *job.lab;
  lab.thresholds = {*job.threshold};
  lab.thresholds[0].range = Threshold::Range{.zero = 2, .full = 1};
  const auto kernel = build(job, options, run);
  if (!kernel) return;
  std::vector<Item> items(1);
  items[0].id = "performance/1";
  items[0].status = Status::deferred;
  model_performance(lab, kernel->program, options, items);
  const auto time = items[0].metrics.find(Metric::modelled_time_ms);
  if (time == items[0].metrics.end()) return fail(run, items[0].message, items[0].hint);
  run.value = {
      .median = time->second, .low = time->second, .high = time->second, .time_ms = time->second};
}

template <class Take>
void add_run(Measurement& job, const GradeOptions& options, Take take) {
  CalibrationRun run;
  run.seed = options.seed;
  try {
    take(job, options, run);
  } catch (const std::exception& exception) {
    fail(run, std::string("the grader failed: ") + exception.what());
  }
  job.measurement.runs.push_back(std::move(run));
}

}  // namespace

bool needs_gpu(const Lab& lab) {
  return !std::ranges::all_of(lab.thresholds, &Threshold::is_modelled);
}

Expected<std::vector<CalibrationMeasurement>> measure(const std::vector<Lab>& labs,
                                                      const MeasureOptions& options) {
  const auto rivals = read_rivals(labs, options.grade.kit.solutions);
  if (!rivals) return rivals.error();
  std::vector<Measurement> timed = jobs_of(labs, *rivals, options, false);
  for (int round = 0; round < options.runs; ++round) {
    for (Measurement& job : timed) {
      options.progress(job.name(), round + 1);
      GradeOptions grade = options.grade;
      grade.machine.gpu = *job.gpu;
      grade.seed += static_cast<std::uint64_t>(round);
      add_run(job, grade, time_kernel);
    }
  }
  std::vector<Measurement> modelled = jobs_of(labs, *rivals, options, true);
  const auto compilers = modelled.empty() ? std::vector<CompilerInfo>()
                                          : chosen_compilers(options.grade.compiler.kind);
  for (Measurement& job : modelled) {
    for (const CompilerInfo& compiler : compilers) {
      options.progress(job.name(), 1);
      GradeOptions grade = options.grade;
      grade.machine.gpu.reset();
      grade.compiler.kind = compiler.kind;
      add_run(job, grade, model_kernel);
    }
  }
  std::vector<CalibrationMeasurement> measurements;
  for (std::vector<Measurement>* jobs : {&timed, &modelled}) {
    for (Measurement& job : *jobs) {
      if (!job.measurement.runs.empty()) measurements.push_back(std::move(job.measurement));
    }
  }
  return measurements;
}

}  // namespace tessera
