#include "grader/process/spawn_on_channel.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace tessera {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

pid_t spawn_on_channel(std::vector<std::string> words, std::vector<std::string> environment,
                       const Channel& its) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, its.descriptor(), kChannelDescriptor);
  pid_t process = -1;
  const int error = posix_spawn(&process, words.front().c_str(), &actions, nullptr,
                                pointers_to(words).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -error;
}

}  // namespace tessera
