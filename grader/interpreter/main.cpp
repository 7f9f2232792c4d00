// tessera-interpreter THREADS: executes PTX for the grader, which starts it with its end of the
// channel as descriptor 3 and nothing else.
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "grader/interpreter/interpreter.h"
#include "grader/interpreter/server.h"
#include "grader/process/process_tree.h"
#include "grader/process/spawn_on_channel.h"

int main(int count, char** words) {
  int threads = 0;
  const bool understood =
      count == 2 &&
      std::from_chars(words[1], words[1] + std::strlen(words[1]), threads).ec == std::errc{};
  if (!understood) {
    std::fputs("tessera-interpreter is started by tessera, for one submission\n", stderr);
    return 2;
  }
  // The grader handles Ctrl-C, and this process ends with it.
  std::signal(SIGINT, SIG_IGN);
  tessera::close_descriptors_from(tessera::kChannelDescriptor + 1);
  const int status =
      tessera::serve_interpreter(tessera::Channel(tessera::kChannelDescriptor), threads);
  _exit(status);
}
