// What the interpreter answered, held against what it was asked: nothing that no launch of this
// shape can have done goes on to the judge.
#pragma once

#include "grader/interpreter/messages.h"

namespace tessera {

/// Each returns or passes what can be true, with control characters in texts replaced, and throws
/// wire::WireError for the rest: findings of kinds that no execution has, counters that are no
/// numbers or more than the launch's warps can have counted, more text than was asked for.
LoadError checked(LoadError error);
FailedReply checked(FailedReply reply);
std::vector<KernelInfo> checked(std::vector<KernelInfo> kernels);
void check_reply(RunReply& reply, const RunMessage& message,
                 const std::vector<KernelInfo>& kernels);

}  // namespace tessera
