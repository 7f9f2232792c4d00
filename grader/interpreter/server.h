// The interpreter's process: it holds one module and the buffers of the running launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/interpreter/messages.h"
#include "grader/process/channel.h"

namespace tessera {

/// Starts `threads` host threads (0: one for each processor) and gives up all rights except to
/// compute. The process ends when the channel's other end is gone. False if the machine cannot
/// confine it.
bool enter_confinement(const Channel& channel, int threads);

/// Answers requests, with the memory that `descriptors` share.
class InterpreterServer {
 public:
  /// Handles the request; returns the bytes of the reply.
  std::string answer(Request request, const std::vector<int>& descriptors);

 private:
  LoadReply loaded(const LoadMessage& message);
  RunReply ran(RunMessage& message, const std::vector<int>& descriptors) const;

  std::shared_ptr<const Module> module_;
};

/// Enters the confinement, reports that it is ready, and answers requests until the other end is
/// gone. Returns the exit status.
int serve_interpreter(Channel channel, int threads);

}  // namespace tessera
