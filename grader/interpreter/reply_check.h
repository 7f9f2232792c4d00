// Checks the interpreter's answers against the requests: what no launch of this shape can have done
// does not reach the judge.
#pragma once

#include "grader/interpreter/messages.h"

namespace tessera {

/// Each returns or accepts an answer that can be true, with control characters in texts replaced,
/// and throws wire::WireError for others: findings of kinds that no execution has, counters that
/// are no numbers or more than the launch's warps can have counted, more text than requested.
LoadError checked(LoadError error);
FailedReply checked(FailedReply reply);
std::vector<KernelInfo> checked(std::vector<KernelInfo> kernels);
void check_reply(RunReply& reply, const RunMessage& message,
                 const std::vector<KernelInfo>& kernels);

}  // namespace tessera
