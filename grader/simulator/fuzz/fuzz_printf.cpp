// Fuzz target: a kernel's printf. The input is a format, a zero byte and the bytes of the
// arguments. Words of eight zero bytes in the arguments become pointers to the format, for %s.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "grader/simulator/fuzz/launch_all.h"

namespace {

using namespace tessera;

constexpr std::string_view kPrints = R"(.version 8.8
.target sm_90
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.entry prints(.param .u64 format, .param .u64 arguments) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [format]; ld.param.u64 %rd1, [arguments];
  { .param .b64 p0; .param .b64 p1; .param .b32 r; st.param.b64 [p0], %rd0; st.param.b64 [p1], %rd1;
  call (r), vprintf, (p0, p1); }
  ret;
})";

std::uint64_t buffer_of(DeviceMemory& memory, std::span<const std::uint8_t> contents,
                        std::size_t room) {
  BufferInfo info;
  info.name = "text";
  const std::uint64_t address = memory.allocate(info, contents.size() + room);
  std::memcpy(memory.bytes(address).data(), contents.data(), contents.size());
  return address;
}

Argument pointer(std::uint64_t address) {
  Argument value(sizeof address);
  std::memcpy(value.data(), &address, sizeof address);
  return value;
}

void set_strings(std::span<std::byte> arguments, std::uint64_t format) {
  for (std::size_t at = 0; at + sizeof format <= arguments.size(); at += sizeof format) {
    std::uint64_t value = 0;
    std::memcpy(&value, &arguments[at], sizeof value);
    if (value == 0) std::memcpy(&arguments[at], &format, sizeof format);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto module = fuzz::loaded(kPrints);
  const std::span<const std::uint8_t> input(data, size);
  const auto end = static_cast<std::size_t>(std::find(data, data + size, 0) - data);
  DeviceMemory memory;
  const std::uint64_t format = buffer_of(memory, input.first(end), 1);
  const std::uint64_t arguments = buffer_of(memory, input.subspan(std::min(end + 1, size)), 8);
  set_strings(memory.bytes(arguments), format);
  RunRequest request;
  request.entry = "prints";
  request.shape = {.grid = {}, .block = {2, 1, 1}, .shared_bytes = 0};
  request.arguments = {pointer(format), pointer(arguments)};
  request.memory = &memory;
  request.host_threads = 1;
  request.output_limit = 10'000;
  run(*module, request);
  return 0;
}
