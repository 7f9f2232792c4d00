// Starts a program that has only one end of a channel and a place for its output.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "grader/process/channel.h"

namespace tessera {

/// The descriptor of such a program's end.
inline constexpr int kChannelDescriptor = 3;

/// `words`, which must outlive them, as execve() takes them.
std::vector<char*> pointers_to(std::vector<std::string>& words);

struct SpawnOptions {
  int output = -1;           // takes its standard output; -1: discarded
  int log = -1;              // likewise for standard error
  bool own_session = false;  // no terminal, a process group of its own, no signal blocked
};

/// Runs `words` (the first is the program's path) with only `environment` ("NAME=value") as its
/// environment and `its` end of a channel as kChannelDescriptor. Returns the process, or the
/// negated errno.
pid_t spawn_on_channel(std::vector<std::string> words, std::vector<std::string> environment,
                       const Channel& its, const SpawnOptions& options = {});

}  // namespace tessera
