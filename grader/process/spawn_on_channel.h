// Starts a program that has nothing but one end of a channel and a place for what it prints.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "grader/process/channel.h"

namespace tessera {

/// Where such a program finds its end.
inline constexpr int kChannelDescriptor = 3;

/// `words`, which must outlive them, as execve() takes them.
std::vector<char*> pointers_to(std::vector<std::string>& words);

struct SpawnOptions {
  int output = -1;           // takes what it prints; -1: nothing does
  int log = -1;              // likewise for standard error
  bool own_session = false;  // it has no terminal, a process group of its own, no signal blocked
};

/// Runs `words` (the first is the program's path) with `environment` ("NAME=value") as the whole of
/// its environment and `its` end of a channel as kChannelDescriptor. The process, or the negated
/// errno.
pid_t spawn_on_channel(std::vector<std::string> words, std::vector<std::string> environment,
                       const Channel& its, const SpawnOptions& options = {});

}  // namespace tessera
