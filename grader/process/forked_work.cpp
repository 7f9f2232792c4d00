#include "grader/process/forked_work.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <system_error>

namespace tessera {
namespace {

constexpr int kReturned = 0;
constexpr int kThrew = 1;

void enter_child(int printed, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kThrew);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(printed, STDOUT_FILENO);
  dup2(printed, STDERR_FILENO);
}

int run(const std::function<std::string()>& work, MemoryFile& answer) {
  int status = kReturned;
  try {
    if (!answer.fill(work())) throw std::system_error(errno, std::generic_category(), "answer");
  } catch (const std::exception& exception) {
    std::cerr << "tessera: " << exception.what() << "\n";
    status = kThrew;
  }
  std::cout.flush();
  std::fflush(nullptr);
  return status;
}

}  // namespace

ForkedWork::ForkedWork(const std::function<std::string()>& work)
    : printed_("tessera-printed"), answer_("tessera-answer") {
  if (!printed_.is_open() || !answer_.is_open()) {
    throw std::system_error(errno, std::generic_category(), "no memory for a process's output");
  }
  std::cout.flush();  // else the child would write the buffered output as well
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child_ == 0) {
    enter_child(printed_.descriptor(), parent);
    _exit(run(work, answer_));
  }
  setpgid(child_, child_);  // here and in the child, whichever comes first
}

ForkedWork::~ForkedWork() {
  if (child_ < 0) return;
  kill(-child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<ForkedResult> ForkedWork::result() {
  int status = 0;
  if (child_ >= 0) {
    const pid_t ended = waitpid(child_, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
    child_ = -1;
    ended_with_ = ended < 0 ? kThrew << 8 : status;
  }
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  ForkedResult result;
  result.ok = WIFEXITED(ended_with_) && WEXITSTATUS(ended_with_) == kReturned;
  result.signal = WIFSIGNALED(ended_with_) ? WTERMSIG(ended_with_) : 0;
  result.printed = printed_.read_head(kAll);
  result.answer = answer_.read_head(kAll);
  return result;
}

}  // namespace tessera
