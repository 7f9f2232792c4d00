// tessera-compiler: runs NVRTC and Clang for the grader, which starts it with one end of a channel
// as descriptor 3 and no other descriptors but the standard ones.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "grader/compile/server/server.h"
#include "grader/process/process_tree.h"
#include "grader/process/spawn_on_channel.h"

int main() {
  if (fcntl(tessera::kChannelDescriptor, F_GETFD) < 0) {
    std::fputs("tessera-compiler is started by tessera\n", stderr);
    return 2;
  }
  // Ctrl-C is for the grader, whose end also ends this process.
  std::signal(SIGINT, SIG_IGN);
  tessera::close_descriptors_from(tessera::kChannelDescriptor + 1);
  _exit(tessera::serve_compiler(tessera::Channel(tessera::kChannelDescriptor)));
}
