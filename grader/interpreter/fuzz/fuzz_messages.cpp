// The first byte selects the kind of message, and the remaining bytes are decoded as that message.
// A reply is then checked against the launch (reply_check.h).
#include <cstdint>
#include <string_view>

#include "grader/interpreter/messages.h"
#include "grader/interpreter/reply_check.h"
#include "grader/process/wire.h"

namespace {

using namespace tessera;

std::vector<KernelInfo> kernels() {
  KernelInfo kernel;
  kernel.entry = "matmul";
  kernel.static_shared_bytes = 2048;
  return {kernel};
}

void read_run_reply(std::string_view bytes, bool sample) {
  RunMessage message;
  message.request.entry = "matmul";
  message.request.shape = {.grid = {4, 4, 1}, .block = {16, 16, 1}, .shared_bytes = 64};
  message.request.step_limit = 100'000;
  message.request.output_limit = 1024;
  message.sample = sample;
  RunReply reply = decode_run_reply(bytes);
  if (!std::holds_alternative<FailedReply>(reply)) check_reply(reply, message, kernels());
}

void read_load_reply(std::string_view bytes) {
  LoadReply reply = decode_load_reply(bytes);
  if (auto* all = std::get_if<std::vector<KernelInfo>>(&reply)) (void)checked(std::move(*all));
  if (auto* error = std::get_if<LoadError>(&reply)) (void)checked(std::move(*error));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 5) {
      case 0:
        read_run_reply(bytes, false);
        break;
      case 1:
        read_run_reply(bytes, true);
        break;
      case 2:
        read_load_reply(bytes);
        break;
      case 3:
        (void)decode_request(bytes);
        break;
      default:
        (void)decode_ready(bytes);
    }
  } catch (const wire::WireError&) {
    return 0;
  }
  return 0;
}
