#include "grader/judge/run/launch_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "common/launch_limits.h"
#include "grader/judge/run/arguments.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/epilogue.h"
#include "grader/simulator/check/memory.h"

namespace tessera {
namespace {

constexpr std::uint64_t kLaunchSteps = 1'000'000;

LaunchShape shape_in(std::span<const std::byte> bytes) {
  std::uint32_t words[kLaunchWords];
  std::memcpy(words, bytes.data(), sizeof words);
  return {{words[0], words[1], words[2]}, {words[3], words[4], words[5]}, words[6]};
}

/// The finding for a grid that the device allows but the simulator would never finish. No kernel
/// needs more blocks than a fixed number and a few for every step of every element.
std::optional<Finding> too_many_blocks(const LaunchShape& shape, double work,
                                       const DeviceProfile& device) {
  constexpr double kFixedGrid = 1 << 15;
  const double most = kFixedGrid + 4 * work;
  const auto extent = [](std::uint32_t value) { return static_cast<double>(value); };
  const Dim3& grid = shape.grid;
  const double blocks = extent(grid.x) * extent(grid.y) * extent(grid.z);
  if (blocks <= most || !shape_findings(shape, device).empty()) return std::nullopt;
  const auto rounded = [](double number) { return Detail(fmt::format("{:.3g}", number)); };
  return bad_launch(
      say(Phrase::too_many_blocks, Detail(fmt::format("{} x {} x {}", grid.x, grid.y, grid.z)),
          rounded(blocks), rounded(work)),
      Phrase::too_many_blocks_hint);
}

}  // namespace

std::variant<LaunchShape, RunResult> call_launch(const CaseContext& context) {
  const auto& [lab, program, test_case, options] = context;
  // Separate memory, so that no message about the kernel calls this buffer a neighbour.
  DeviceMemory memory(DeviceMemory::Storage::shared);
  const std::uint64_t words = memory.allocate({.name = "launch"}, kLaunchWords * 4);
  RunRequest request;
  request.entry = program.launcher.entry;
  request.memory = &memory;
  request.device = options.machine.device;
  request.step_limit = kLaunchSteps;
  request.launch_step_limit = 2 * kLaunchSteps;  // work that is no instruction counts too
  request.host_threads = 1;
  request.output_limit = 0;
  for (const std::string& name : launch_arguments(lab))
    request.arguments.push_back(argument_of(number_called(test_case, name)));
  request.arguments.push_back(argument_of(words));
  RunResult result = with_second_try([&] { return program.interpreter->run(request); });
  // A mistake in `launch`, such as a store through a null pointer, is a mistake of the case.
  if (result.status != RunStatus::completed ||
      std::ranges::count(result.findings, Severity::error, &Finding::severity) > 0)
    return result;
  const LaunchShape shape = shape_in(memory.bytes(words));
  if (auto finding =
          too_many_blocks(shape, lab.operation->work(test_case.extents), options.machine.device)) {
    result.status = RunStatus::not_launched;
    result.findings = {std::move(*finding)};
    return result;
  }
  return shape;
}

}  // namespace tessera
