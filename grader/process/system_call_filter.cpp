#include "grader/process/system_call_filter.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

#include "grader/process/resource_limit.h"

namespace tessera {
namespace {

std::string not_filtered(int error) {
  return std::string("the kernel takes no filter of system calls: ") + std::strerror(error);
}

}  // namespace

SystemCallFilter make_system_call_filter(std::uint32_t otherwise) {
  return {seccomp_init(otherwise), seccomp_release};
}

std::optional<std::string> load_system_call_filter(const SystemCallFilter& filter) {
  set_resource_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!filter) return not_filtered(ENOMEM);
  // A call with another architecture's numbers ends the process, not only a thread.
  const bool is_set =
      seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
      seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  if (!is_set) return not_filtered(ENOSYS);
  const int result = seccomp_load(filter.get());
  if (result != 0) return not_filtered(-result);
  return std::nullopt;
}

}  // namespace tessera
