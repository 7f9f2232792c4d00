// Shared by tests of confinements: runs work in a process that first gives up its rights.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace tessera::test {

/// What `work` returns in a child process after `confine`, which returns whether it succeeded.
inline std::string in_child(const std::function<bool()>& confine,
                            const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    if (!confine()) _exit(9);
    const std::string answer = work();
    (void)!write(ends[1], answer.data(), answer.size());
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? answer
                                                       : "ended with " + std::to_string(status);
}

}  // namespace tessera::test
