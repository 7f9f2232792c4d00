#include "grader/interpreter/server.h"

#include <omp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <latch>
#include <stdexcept>
#include <thread>
#include <utility>

#include "grader/interpreter/confinement.h"
#include "grader/interpreter/messages.h"
#include "grader/process/resource_limit.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

constexpr int kNoConfinement = 2;
constexpr int kBadRequest = 3;

/// Ends the process when the other end is gone: a kernel that runs without end would not look.
void end_with(int descriptor, std::latch& runs) {
  runs.count_down();
  pollfd end{descriptor, POLLRDHUP, 0};
  while (poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  _exit(EXIT_SUCCESS);
}

/// OpenMP keeps these threads; under the filter none can be made.
void make_threads(int threads) {
  if (threads > 0) omp_set_num_threads(threads);
  std::atomic<int> running = 0;
#pragma omp parallel
  ++running;
}

/// What this process has by now, as the limits count it.
struct MemoryUse {
  std::uint64_t address_space = 0;  // RLIMIT_AS, bytes
  std::uint64_t data = 0;           // RLIMIT_DATA, bytes
};

MemoryUse memory_use() {
  std::array<std::uint64_t, 6> pages{};
  std::ifstream statm("/proc/self/statm");
  for (std::uint64_t& column : pages) statm >> column;
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {.address_space = pages.front() * page_bytes, .data = pages.back() * page_bytes};
}

/// What a launch may take beyond what it is given: its registers and local memory, which
/// simulator/ptx/limits.h and exec.h cap for each thread, and what the checks note of its buffers.
/// Never so much that the machine has none left.
void limit_memory() {
  constexpr std::uint64_t kOfLaunch = std::uint64_t{4} << 30;
  constexpr std::uint64_t kOfThread = std::uint64_t{640} << 20;
  const auto threads = static_cast<std::uint64_t>(omp_get_max_threads());
  const std::uint64_t of_machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 *
                                   static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t most = std::min(kOfLaunch + threads * kOfThread, of_machine);
  // Addresses without memory of their own cost the kernel 8 bytes a page.
  constexpr std::uint64_t kOfBuffers = std::uint64_t{64} << 30;
  const MemoryUse use = memory_use();
  set_resource_limit(RLIMIT_DATA, use.data + most);
  set_resource_limit(RLIMIT_AS, use.address_space + most + kOfBuffers);
}

void place(const std::vector<SharedBufferInfo>& buffers, const std::vector<int>& descriptors,
           DeviceMemory& memory) {
  auto next = descriptors.begin();
  for (const SharedBufferInfo& buffer : buffers) {
    if (buffer.size == 0) {
      memory.place(buffer.info, buffer.address, SharedBuffer());
      continue;
    }
    if (next == descriptors.end()) throw std::logic_error("a buffer without memory");
    memory.place(buffer.info, buffer.address, SharedBuffer(*next++, buffer.size));
  }
}

}  // namespace

bool enter_confinement(const Channel& channel, int threads) {
  make_threads(threads);
  limit_memory();
  std::latch runs(1);
  std::thread(end_with, channel.descriptor(), std::ref(runs)).detach();
  runs.wait();  // a thread's start takes calls that the filter refuses
  return !confine_to_computing();
}

std::string InterpreterServer::answer(Request request, const std::vector<int>& descriptors) {
  if (const auto* load = std::get_if<LoadMessage>(&request)) return encode(loaded(*load));
  return encode(ran(std::get<RunMessage>(request), descriptors));
}

LoadReply InterpreterServer::loaded(const LoadMessage& message) {
  module_.reset();
  try {
    auto module = load_module(message.ptx);
    if (!module) return module.error();
    module_ = std::move(*module);
    return kernels(*module_);
  } catch (const std::bad_alloc&) {
    throw;  // it ends the process: PTX that takes all memory is to blame the second time
  } catch (const std::exception& failure) {
    return FailedReply{failure.what()};
  }
}

RunReply InterpreterServer::ran(RunMessage& message, const std::vector<int>& descriptors) const {
  try {
    if (!module_) throw std::logic_error("no module is loaded");
    DeviceMemory memory;
    place(message.buffers, descriptors, memory);
    message.request.memory = &memory;
    if (message.sample) return sample_launch(*module_, message.request);
    return run(*module_, message.request);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryReply{};
  } catch (const std::exception& failure) {
    return FailedReply{failure.what()};
  }
}

int serve_interpreter(Channel channel, int threads) {
  if (!enter_confinement(channel, threads)) return kNoConfinement;
  InterpreterServer server;
  try {
    if (!channel.send(encode(ReadyReply{}))) return EXIT_SUCCESS;
    for (;;) {
      std::vector<int> descriptors;
      const auto bytes = channel.receive(kMostRequestBytes, &descriptors);
      if (!bytes || !channel.send(server.answer(decode_request(*bytes), descriptors)))
        return EXIT_SUCCESS;
    }
  } catch (const wire::WireError&) {
    return kBadRequest;
  }
}

}  // namespace tessera
