#include "grader/process/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>

namespace tessera {
namespace {

constexpr std::size_t kMostProcesses = 32768;

/// A new process below the root may get the number of one that ended, so all are read again now and
/// then.
constexpr unsigned kReadsUntilAllAreReadAgain = 32;

/// Calls visit(descriptor of the folder, number) for each name in `folder` that is a number, in
/// ascending order, as long as it returns true.
template <class Visit>
void for_each_number(const char* folder, Visit visit) {
  const int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  alignas(dirent64) char entries[16384];
  for (bool go_on = true; go_on;) {
    const ssize_t size = getdents64(directory, entries, sizeof entries);
    if (size <= 0) break;
    for (ssize_t at = 0; at < size && go_on;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const char* end = entry->d_name + std::strlen(entry->d_name);
      int number = 0;
      if (std::from_chars(entry->d_name, end, number).ptr == end) {
        go_on = visit(directory, number);
      }
    }
  }
  close(directory);
}

/// Field `index` after the name in /proc/N/stat: 0 is the state.
std::uint64_t field(std::string_view fields, int index) {
  for (; index > 0; --index)
    fields.remove_prefix(std::min(fields.find(' '), fields.size() - 1) + 1);
  std::uint64_t value = 0;
  std::from_chars(fields.data(), fields.data() + fields.size(), value);
  return value;
}

std::optional<Process> parse_stat(std::string_view stat) {
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  const std::string_view fields = stat.substr(name_end + 2);
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  Process process;
  process.parent = static_cast<pid_t>(field(fields, 1));
  process.group = static_cast<pid_t>(field(fields, 2));
  process.started = field(fields, 19);
  process.resident_bytes = field(fields, 21) * page_bytes;
  const std::uint64_t own = field(fields, 11) + field(fields, 12);
  const std::uint64_t of_children = field(fields, 13) + field(fields, 14);
  process.processor_seconds =
      static_cast<double>(own + of_children) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return process;
}

std::optional<Process> read_process(int directory, pid_t id) {
  char path[32] = {};
  char* end = std::to_chars(path, path + 16, id).ptr;
  std::memcpy(end, "/stat", 6);
  const int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char stat[1024];
  const ssize_t size = ::read(file, stat, sizeof stat);
  close(file);
  if (size <= 0) return std::nullopt;
  auto process = parse_stat({stat, static_cast<std::size_t>(size)});
  if (process) process->id = id;
  return process;
}

template <class T>
void push_within_capacity(std::vector<T>& values, const T& value) {
  if (values.size() < values.capacity()) values.push_back(value);
}

}  // namespace

ProcessTree::ProcessTree() {
  processes_.reserve(kMostProcesses);
  older_.reserve(kMostProcesses);
  known_older_.reserve(kMostProcesses);
}

void ProcessTree::start_over(pid_t root) {
  if (root != root_ || ++reads_ == kReadsUntilAllAreReadAgain) {
    older_.clear();
    reads_ = 0;
  }
  std::swap(older_, known_older_);
  older_.clear();
  processes_.clear();
  below_ = 0;
}

bool ProcessTree::is_below(pid_t id) const {
  const auto found =
      std::lower_bound(processes_.begin(), processes_.end(), id,
                       [](const Process& process, pid_t value) { return process.id < value; });
  return found != processes_.end() && found->id == id && found->is_below;
}

void ProcessTree::add(int directory, pid_t id, pid_t root) {
  if (std::binary_search(known_older_.begin(), known_older_.end(), id)) {
    push_within_capacity(older_, id);
    return;
  }
  auto process = read_process(directory, id);
  if (!process) return;
  if (process->started < root_started_) {
    push_within_capacity(older_, id);
    return;
  }
  process->is_below = process->parent == root || is_below(process->parent);
  if (process->is_below) ++below_;
  push_within_capacity(processes_, *process);
}

/// Marks also the few whose parents have higher numbers than they: after the last number, numbers
/// begin again.
void ProcessTree::mark_below(pid_t root) {
  for (bool grown = true; grown;) {
    grown = false;
    for (Process& process : processes_) {
      if (process.is_below || (process.parent != root && !is_below(process.parent))) continue;
      process.is_below = true;
      grown = true;
    }
  }
}

const std::vector<Process>& ProcessTree::read(pid_t root, std::size_t most) {
  start_over(root);
  for_each_number("/proc", [&](int directory, pid_t id) {
    if (root != root_) {
      const auto process = read_process(directory, root);
      root_started_ = process ? process->started : 0;
      root_ = root;
    }
    add(directory, id, root);
    return below_ <= most;
  });
  mark_below(root);
  std::erase_if(processes_, [](const Process& process) { return !process.is_below; });
  return processes_;
}

void kill_with_groups(const std::vector<Process>& processes, pid_t root) {
  for (const Process& process : processes) {
    if (process.group > 1 && process.group != root) kill(-process.group, SIGKILL);
    kill(process.id, SIGKILL);
  }
}

void close_descriptors_from(int first) {
  for_each_number("/proc/self/fd", [first](int directory, int descriptor) {
    if (descriptor >= first && descriptor != directory) close(descriptor);
    return true;
  });
}

}  // namespace tessera
