// The process that interprets: it holds one module and the buffers of the launch that runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/interpreter/messages.h"
#include "grader/process/channel.h"

namespace tessera {

/// Makes `threads` host threads (0: one a processor) and gives up all rights but to compute. The
/// process ends when the channel's other end is gone. False where the machine cannot confine it.
bool enter_confinement(const Channel& channel, int threads);

/// Does what it is asked, in memory that is shared by `descriptors`.
class InterpreterServer {
 public:
  /// The bytes of the reply.
  std::string answer(Request request, const std::vector<int>& descriptors);

 private:
  LoadReply loaded(const LoadMessage& message);
  RunReply ran(RunMessage& message, const std::vector<int>& descriptors) const;

  std::shared_ptr<const Module> module_;
};

/// Enters the confinement, says that it is ready, and answers requests until the other end is gone.
/// Returns the exit status.
int serve_interpreter(Channel channel, int threads);

}  // namespace tessera
