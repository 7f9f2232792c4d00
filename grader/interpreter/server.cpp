#include "grader/interpreter/server.h"

#include <omp.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <functional>
#include <latch>
#include <stdexcept>
#include <thread>
#include <utility>

#include "grader/interpreter/confinement.h"
#include "grader/interpreter/messages.h"
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
  try {
    auto module = load_module(message.ptx);
    if (!module) return module.error();
    module_ = std::move(*module);
    return kernels(*module_);
  } catch (const std::bad_alloc&) {
    throw;  // it ends the process: whoever takes all memory is to blame the second time
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
    throw;
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
