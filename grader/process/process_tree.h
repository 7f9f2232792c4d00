// Finds the processes below a process in /proc. Reading allocates nothing and takes no lock, so a
// forked child of a program with many threads may do it too.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

struct Process {
  pid_t id = 0;
  pid_t parent = 0;
  pid_t group = 0;
  std::uint64_t started = 0;         // clock ticks since the machine started
  std::uint64_t resident_bytes = 0;  // shared pages are counted in every process that has them
  double processor_seconds = 0;      // with those of its children that it waited for
  bool is_below = false;
};

class ProcessTree {
 public:
  ProcessTree();

  /// All processes whose parent, or parent's parent and so on, is `root`; also those that have
  /// ended and wait for their parent to notice. Valid until the next read. Orphans must come back
  /// to `root`: it is their subreaper, or their namespace is below it. Stops early after more than
  /// `most` are found: with many processes there is no time to count them.
  const std::vector<Process>& read(pid_t root, std::size_t most);

 private:
  void start_over(pid_t root);
  void add(int directory, pid_t id, pid_t root);
  void mark_below(pid_t root);
  bool is_below(pid_t id) const;

  pid_t root_ = 0;
  std::uint64_t root_started_ = 0;
  unsigned reads_ = 0;
  std::size_t below_ = 0;           // how many of them are known to be below the root
  std::vector<Process> processes_;  // by id
  std::vector<pid_t> older_;        // processes that are older than the root, by id
  std::vector<pid_t> known_older_;  // those of the last read
};

/// How many processes to read in order to kill them: a few belong to as many groups as all, and are
/// found sooner.
constexpr std::size_t kKilledAtOnce = 256;

/// Kills the processes that were read below `root`, each with its whole process group at once,
/// except the root's own group.
void kill_with_groups(const std::vector<Process>& processes, pid_t root);

/// Closes all of this process's descriptors from `first` on; safe between fork and exec.
void close_descriptors_from(int first);

}  // namespace tessera
