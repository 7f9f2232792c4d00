#include "grader/judge/launch_call.h"

#include <cstring>

#include "grader/judge/arguments.h"
#include "grader/judge/case_data.h"
#include "grader/judge/epilogue.h"
#include "grader/simulator/memory.h"

namespace tessera {
namespace {

constexpr std::uint64_t kLaunchSteps = 1'000'000;

LaunchShape shape_in(std::span<const std::byte> bytes) {
  std::uint32_t words[kLaunchWords];
  std::memcpy(words, bytes.data(), sizeof words);
  return {{words[0], words[1], words[2]}, {words[3], words[4], words[5]}, words[6]};
}

}  // namespace

std::variant<LaunchShape, RunResult> call_launch(const Lab& lab, const Program& program,
                                                 const Case& one, const GradeOptions& options) {
  // Memory of its own, so that no message about the kernel calls it a neighbour.
  DeviceMemory memory;
  const std::uint64_t words = memory.allocate({.name = "launch"}, kLaunchWords * 4);
  RunRequest request;
  request.module = program.module.get();
  request.entry = program.launcher.entry;
  request.memory = &memory;
  request.device = options.device;
  request.step_limit = kLaunchSteps;
  request.host_threads = 1;
  for (const std::string& name : launch_arguments(lab))
    request.arguments.push_back(argument_of(number_called(one, name)));
  request.arguments.push_back(argument_of(words));
  RunResult result = run(request);
  if (result.status != RunStatus::completed) return result;
  return shape_in(memory.bytes(words));
}

}  // namespace tessera
