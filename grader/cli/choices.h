// Interprets LAB, --compiler, --backend and --gpus, which several commands share.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/cli/locations.h"
#include "grader/gpu/device.h"
#include "grader/judge/judge.h"
#include "grader/lab/course.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The folders of the labs that `words` name, each once; all of them if there are no words.
Expected<std::vector<std::filesystem::path>> chosen_labs(const std::vector<std::string>& words,
                                                         const std::filesystem::path& labs);

/// The same; no words mean the labs of `course`, in its order.
Expected<std::vector<std::filesystem::path>> chosen_labs(const std::vector<std::string>& words,
                                                         const std::filesystem::path& labs,
                                                         const Course& course);

/// Reads every lab, with its hidden cases; reports all mistakes, and returns nothing if there is
/// any. With a course, only thresholds of its devices are kept.
std::optional<std::vector<Lab>> load_labs(
    const std::vector<std::filesystem::path>& folders, const Locations& locations,
    const Course& course = Course(), const std::function<void(const Error&)>& report = print_error);

/// The options for grading the labs on this machine, with seed 0 and no GPU. `compiler` is a word
/// of --compiler.
GradeOptions grade_options(const Locations& locations, const std::string& compiler,
                           const DeviceProfile& device);

/// The GPUs that the words of --backend and --gpus mean; none if only the simulator grades.
Expected<std::vector<GpuDevice>> chosen_gpus(const Locations& locations, const std::string& backend,
                                             const std::vector<int>& gpus);

}  // namespace tessera
