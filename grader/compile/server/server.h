// The process that runs compilers: it holds NVRTC and nothing else. Each source is compiled in a
// new child, which is confined before it reads the source. This process never reads a source, so no
// child finds anything of an earlier source in the memory that it inherits.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/compile/compiler_messages.h"
#include "grader/compile/nvrtc_library.h"
#include "grader/process/channel.h"

namespace tessera {

class CompilerServer {
 public:
  /// Compiles in a child, with `descriptors` as compiler_messages.h describes. Kills the child when
  /// the other end of the socket `lifeline` is closed.
  CompilerReply answer(const CompilerRequest& request, const std::vector<int>& descriptors,
                       int lifeline);

 private:
  Expected<const NvrtcLibrary*> library(const std::string& file);

  std::map<std::string, NvrtcLibrary> libraries_;
};

/// Answers requests one after the other until the channel is closed. Returns the exit status.
int serve_compiler(Channel channel);

}  // namespace tessera
