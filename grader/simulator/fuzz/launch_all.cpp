#include "grader/simulator/fuzz/launch_all.h"

#include <algorithm>
#include <cstring>

namespace tessera::fuzz {
namespace {

constexpr std::size_t kMostKernels = 4;
constexpr std::uint64_t kBufferBytes = 4096;

std::uint64_t small_buffer(DeviceMemory& memory, const char* name, bool input, bool initialized) {
  BufferInfo info;
  info.name = name;
  info.input = input;
  info.initialized = initialized;
  info.width = 30;
  info.pitch = 32;
  return memory.allocate(info, kBufferBytes);
}

/// Returns an argument: parameters of 8 bytes or more start with a pointer, smaller ones are small
/// numbers.
Argument argument(std::uint32_t bytes, std::uint64_t pointer) {
  Argument value(bytes);
  const std::uint32_t number = 33;
  for (std::size_t at = 0; at + sizeof number <= bytes; at += sizeof number)
    std::memcpy(value.data() + at, &number, sizeof number);
  if (bytes >= sizeof pointer) std::memcpy(value.data(), &pointer, sizeof pointer);
  return value;
}

}  // namespace

std::shared_ptr<const Module> loaded(std::string_view text) {
  auto module = load_module(text);
  return module ? *module : nullptr;
}

void launch_all(const Module& module) {
  const std::vector<KernelInfo> all = kernels(module);
  for (std::size_t k = 0; k < std::min(all.size(), kMostKernels); ++k) {
    DeviceMemory memory;
    const std::uint64_t buffers[] = {small_buffer(memory, "A", true, true),
                                     small_buffer(memory, "B", false, true),
                                     small_buffer(memory, "C", false, false)};
    RunRequest request;
    request.entry = all[k].entry;
    request.shape = {.grid = {2, 1, 1}, .block = {40, 1, 1}, .shared_bytes = 1024};
    request.memory = &memory;
    request.step_limit = 2000;
    request.output_limit = 4096;
    request.host_threads = 1;
    request.name_lines = {{"A", {1, 2, 3}}, {"tile", {4, 5}}};
    request.arrays = {{"tile", {4, {0, 8}}}};
    for (std::size_t i = 0; i < all[k].parameter_bytes.size(); ++i)
      request.arguments.push_back(argument(all[k].parameter_bytes[i], buffers[i % 3]));
    run(module, request);
    sample_launch(module, request);
  }
}

}  // namespace tessera::fuzz
