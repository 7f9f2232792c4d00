// What the options LAB, --compiler, --backend and --gpus of several commands mean.
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

/// Folders of the labs that `words` name, each once; all of them where there are no words.
Expected<std::vector<std::filesystem::path>> chosen_labs(const std::vector<std::string>& words,
                                                         const std::filesystem::path& labs);

/// The same, where no words mean the labs of `course`, in its order.
Expected<std::vector<std::filesystem::path>> chosen_labs(const std::vector<std::string>& words,
                                                         const std::filesystem::path& labs,
                                                         const Course& course);

/// Reads every lab, with its hidden cases; tells all mistakes, and gives nothing where there is
/// one. With a course only thresholds of its devices are left.
std::optional<std::vector<Lab>> load_labs(
    const std::vector<std::filesystem::path>& folders, const Locations& locations,
    const Course& course = Course(), const std::function<void(const Error&)>& tell = print_error);

/// How this machine grades the labs there; seed 0, no GPU. `compiler` is a word of --compiler.
GradeOptions grade_options(const Locations& locations, const std::string& compiler,
                           const DeviceProfile& device);

/// The GPUs that the words of --backend and --gpus mean; none where the simulator grades alone.
Expected<std::vector<GpuDevice>> chosen_gpus(const Locations& locations, const std::string& backend,
                                             const std::vector<int>& gpus);

}  // namespace tessera
