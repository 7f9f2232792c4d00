#include "grader/process/allowance.h"

#include <ctime>

namespace tessera {
namespace {

constexpr double kWallOfCpu = 16;

}  // namespace

Allowance::Allowance(pid_t process, double cpu_seconds)
    : process_(process), cpu_seconds_(cpu_seconds), cpu_before_(cpu_used()) {
}

double Allowance::cpu_used() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

bool Allowance::lasts() const {
  return cpu_used() - cpu_before_ + stopwatch_.seconds() / kWallOfCpu <= cpu_seconds_;
}

}  // namespace tessera
