#include "grader/process/system_call_filter.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
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

bool allow_descriptor_flags(const SystemCallFilter& filter) {
  constexpr int kCommands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
  return std::ranges::all_of(kCommands, [&filter](int command) {
    const scmp_arg_cmp is_command{1, SCMP_CMP_EQ, static_cast<scmp_datum_t>(command), 0};
    return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, is_command) == 0;
  });
}

bool allow_abort(const SystemCallFilter& filter) {
  const scmp_arg_cmp to_itself{0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid()), 0};
  return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, to_itself) == 0;
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
