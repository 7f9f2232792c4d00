// Runs in the forked copy of a program with many threads: uses only calls that are safe there.
#include "grader/process/supervisor.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <iterator>

#include "grader/process/process_group.h"
#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

constexpr int kReportDescriptor = 3;
constexpr std::uint64_t kMostDescriptors = 512;  // CUDA opens some fifty for each GPU

/// Lower priority than the rest, so that the watchdog gets its turn among many processes.
constexpr int kNice = 5;

void report(SupervisorReport::Kind kind, int value) {
  const SupervisorReport message{kind, value};
  // The write fails only if the reader is gone, and then no report is needed.
  [[maybe_unused]] const ssize_t written = write(kReportDescriptor, &message, sizeof message);
}

/// Descriptors 0 to 5 become the plan's, all others are closed: locks and other sandboxes' pipes.
void arrange_descriptors(const SupervisorPlan& plan) {
  constexpr int kAboveTheTargets = 16;
  const int sources[] = {
      open("/dev/null", O_RDONLY), plan.output, plan.log, plan.reports, plan.room, plan.filter};
  constexpr int kTargets = std::size(sources);
  int copies[kTargets];
  for (int i = 0; i < kTargets; ++i) copies[i] = fcntl(sources[i], F_DUPFD, kAboveTheTargets);
  for (int i = 0; i < kTargets; ++i) dup2(copies[i], i);
  fcntl(kReportDescriptor, F_SETFD, FD_CLOEXEC);
  close_descriptors_from(plan.room < 0 ? kRoomDescriptor : kTargets);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// If memory runs out before the watchdog has looked, the kernel kills this process first.
void volunteer_for_the_kernel() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

/// Returns the errno if the program cannot be executed.
int become_program(const SupervisorPlan& plan) {
  setsid();  // so that it can join neither the supervisor's process group nor its terminal
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // In a sandbox, bwrap does it, as its last step: bwrap may be installed setuid.
  if (plan.room < 0) stay_in_process_group();
  volunteer_for_the_kernel();
  [[maybe_unused]] const int unchanged = nice(kNice);
  set_resource_limit(RLIMIT_CORE, 0);
  set_resource_limit(RLIMIT_FSIZE, plan.file_bytes);
  set_resource_limit(RLIMIT_NOFILE, kMostDescriptors);
  if (chdir("/") != 0) return errno;
  reset_signals();
  execve(plan.arguments[0], plan.arguments, plan.environment);
  return errno;
}

/// The program's process; if there is none, reports that and ends this process.
pid_t start_program(const SupervisorPlan& plan) {
  int failure[2];  // closed by a successful exec
  if (pipe2(failure, O_CLOEXEC) != 0) {
    report(SupervisorReport::Kind::failed, errno);
    _exit(1);
  }
  const pid_t program = fork();
  if (program == 0) {
    const int reason = become_program(plan);
    [[maybe_unused]] const ssize_t written = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  int reason = program < 0 ? errno : 0;
  close(failure[1]);
  if (program > 0 && read(failure[0], &reason, sizeof reason) <= 0) reason = 0;
  close(failure[0]);
  report(reason == 0 ? SupervisorReport::Kind::started : SupervisorReport::Kind::failed, reason);
  if (reason != 0) _exit(1);
  return program;
}

/// Waits until the program ends or this process is asked to end it. Returns the program's status
/// from waitpid, if it has ended.
int wait_for_end(pid_t program) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  for (;;) {
    const int signal = sigwaitinfo(&awaited, nullptr);
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == program) return status;
    }
    if (signal == SIGTERM) return 0;
  }
}

/// Kills what is below this process until nothing is left.
void end_all(ProcessTree& tree) {
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  const timespec pause{0, 1'000'000};
  for (;;) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    kill_with_groups(tree.read(getpid(), kKilledAtOnce), getpid());
    sigtimedwait(&child_ended, nullptr, &pause);
  }
}

}  // namespace

void supervise(const SupervisorPlan& plan) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != plan.parent) _exit(1);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();                  // a terminal's Ctrl-C is for the parent, which then sets `stop`
  signal(SIGCHLD, SIG_DFL);  // if ignored, the program's status would be lost
  arrange_descriptors(plan);
  const pid_t program = start_program(plan);
  for (const int descriptor :
       {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, kRoomDescriptor, kFilterDescriptor}) {
    close(descriptor);
  }
  const int status = wait_for_end(program);
  end_all(*plan.tree);
  report(SupervisorReport::Kind::ended, status);
  _exit(0);
}

}  // namespace tessera
