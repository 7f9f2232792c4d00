#include "grader/process/spawn_on_channel.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace tessera {
namespace {

void give_stream(posix_spawn_file_actions_t& actions, int given, int stream) {
  if (given >= 0) {
    posix_spawn_file_actions_adddup2(&actions, given, stream);
  } else {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
}

void give_session(posix_spawnattr_t& attributes) {
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t spawn_on_channel(std::vector<std::string> words, std::vector<std::string> environment,
                       const Channel& its, const SpawnOptions& options) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  give_stream(actions, -1, STDIN_FILENO);
  give_stream(actions, options.output, STDOUT_FILENO);
  give_stream(actions, options.log, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, its.descriptor(), kChannelDescriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (options.own_session) give_session(attributes);
  pid_t process = -1;
  const int error = posix_spawn(&process, words.front().c_str(), &actions, &attributes,
                                pointers_to(words).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -error;
}

}  // namespace tessera
