#include "grader/cli/choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/interpreter/interpreter.h"
#include "grader/lab/course_labs.h"

namespace tessera {

namespace fs = std::filesystem;

Expected<std::vector<fs::path>> chosen_labs(const std::vector<std::string>& words,
                                            const fs::path& labs) {
  if (words.empty()) {
    std::vector<fs::path> all = find_labs(labs);
    if (!all.empty()) return all;
    return Error{.file = labs.string(),
                 .message = "no labs here; a lab is a folder with a lab.yaml"};
  }
  std::vector<fs::path> chosen;
  for (const std::string& word : words) {
    const Expected<fs::path> lab = find_lab(labs, word);
    if (!lab) return lab.error();
    if (std::ranges::count(chosen, *lab) == 0) chosen.push_back(*lab);
  }
  return chosen;
}

Expected<std::vector<fs::path>> chosen_labs(const std::vector<std::string>& words,
                                            const fs::path& labs, const Course& course) {
  if (!words.empty() || course.labs.empty()) return chosen_labs(words, labs);
  std::vector<fs::path> chosen;
  for (const CourseLab& lab : course.labs) chosen.push_back(labs / lab.id);
  return chosen;
}

std::optional<std::vector<Lab>> load_labs(const std::vector<fs::path>& folders,
                                          const Locations& locations, const Course& course,
                                          const std::function<void(const Error&)>& report) {
  const std::vector<std::string> cards = device_display_names(locations.kit.devices());
  std::vector<Lab> labs;
  bool broken = false;
  for (const fs::path& folder : folders) {
    const fs::path hidden = locations.kit.solutions / folder.filename() / "hidden.yaml";
    Expected<Lab> lab = load_lab(folder, hidden, locations.kit.datasets, cards);
    const auto error = lab ? keep_course_devices(course, *lab) : std::optional(lab.error());
    if (error) report(*error);
    broken = broken || error;
    if (lab) labs.push_back(std::move(*lab));
  }
  return broken ? std::nullopt : std::optional(std::move(labs));
}

GradeOptions grade_options(const Locations& locations, const std::string& compiler,
                           const DeviceProfile& device) {
  GradeOptions options;
  options.compiler = locations.compiler;
  options.compiler.kind = *compiler_from(compiler);
  options.machine.device = device;
  options.machine.interpreters = std::make_shared<InterpreterPool>(locations.interpreter);
  options.kit = locations.kit;
  return options;
}

Expected<std::vector<GpuDevice>> chosen_gpus(const Locations& locations, const std::string& backend,
                                             const std::vector<int>& gpus) {
  if (backend == "simulator") return std::vector<GpuDevice>();
  const Expected<std::vector<GpuDevice>> devices = gpu_devices(locations.gpu_worker);
  if (!devices && (backend == "gpu" || !gpus.empty())) return devices.error();
  if (!devices) return std::vector<GpuDevice>();
  if (gpus.empty()) return *devices;
  std::vector<GpuDevice> chosen;
  for (const int index : gpus) {
    const auto found = std::ranges::find(*devices, index, &GpuDevice::index);
    if (found == devices->end()) {
      return Error{.file = fmt::format("--gpus {}", index),
                   .message = fmt::format("the GPUs here are 0 to {}; `tessera doctor` lists them",
                                          devices->size() - 1)};
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace tessera
