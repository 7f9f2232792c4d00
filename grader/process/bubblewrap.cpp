// The order of the arguments is the order of the mounts: what comes later covers what came before.
#include "grader/process/bubblewrap.h"

#include <initializer_list>
#include <map>
#include <mutex>

#include "grader/process/child_process.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Options that older releases lack: Ubuntu 22.04 has 0.6.
struct Abilities {
  bool sizes = false;            // 0.7
  bool disables_userns = false;  // 0.8
};

Abilities abilities_by_help(const std::string& bubblewrap) {
  const auto help = run_program({bubblewrap, "--help"}, "", {});
  if (!help) return {};
  const std::string text = help->output + help->log;
  return {text.find("--size ") != std::string::npos,
          text.find("--disable-userns ") != std::string::npos};
}

/// Asks each program only once, since every sandbox needs to know.
Abilities abilities_of(const std::string& bubblewrap) {
  static std::mutex mutex;
  static std::map<std::string, Abilities> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(bubblewrap);
  if (found != known.end()) return found->second;
  return known[bubblewrap] = abilities_by_help(bubblewrap);
}

void add(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

void add_namespaces(Words& words, const Abilities& abilities) {
  add(words, {"--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"});
  if (abilities.disables_userns) add(words, {"--disable-userns"});
  add(words, {"--cap-drop", "ALL"});  // root would keep all, and could unmount the covers
}

/// /bin and similar folders are links into /usr on most systems, and folders on others.
void add_system(Words& words) {
  add(words, {"--ro-bind", "/usr", "/usr"});
  for (const std::string path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code unused;
    if (fs::is_symlink(path, unused)) {
      add(words, {"--symlink", fs::read_symlink(path, unused).string(), path});
    } else {
      add(words, {"--ro-bind-try", path, path});
    }
  }
  for (const std::string path : {"/etc/ld.so.cache", "/etc/alternatives"}) {
    add(words, {"--ro-bind-try", path, path});
  }
}

void add_scratch(Words& words, const std::string& path, std::uint64_t bytes,
                 const Abilities& abilities) {
  if (abilities.sizes) add(words, {"--size", std::to_string(bytes)});
  add(words, {"--tmpfs", path});
}

/// Whether the name is nvidiactl, nvidia0 and so on, nvidia-uvm, nvidia-uvm-tools, or nvidia-caps
/// (for parts of a GPU).
bool is_gpu_device(const std::string& name) {
  constexpr std::string_view kPrefix = "nvidia";
  if (name.rfind(kPrefix, 0) != 0) return false;
  const std::string rest = name.substr(kPrefix.size());
  const bool is_number = !rest.empty() && rest.find_first_not_of("0123456789") == std::string::npos;
  return is_number || rest == "ctl" || rest == "-uvm" || rest == "-uvm-tools" || rest == "-caps";
}

void add_gpu(Words& words) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/dev", failure)) {
    if (!is_gpu_device(entry.path().filename())) continue;
    // A plain bind forbids the use of device files.
    add(words, {"--dev-bind", entry.path(), entry.path()});
  }
  add(words, {"--ro-bind", "/sys", "/sys"});  // cuInit fails without it
}

void add_paths(Words& words, const SandboxRequest& request) {
  for (const fs::path& path : request.readable) add(words, {"--ro-bind", path, path});
  for (const auto& [from, to] : request.mounted) add(words, {"--ro-bind", from, to});
  for (const fs::path& path : request.writable) add(words, {"--bind", path, path});
  for (const fs::path& path : request.hidden) {
    if (fs::is_directory(path)) {
      add(words, {"--tmpfs", path, "--remount-ro", path});
    } else {
      add(words, {"--ro-bind", "/dev/null", path});
    }
  }
}

/// Root's processes may write to /proc/sys although they have no capabilities.
void protect_proc(Words& words, bool gpu) {
  if (!gpu) return add(words, {"--remount-ro", "/proc"});
  // CUDA's driver does not start if it cannot name its threads in /proc/self/task.
  for (const std::string path :
       {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/driver"})
    add(words, {"--ro-bind-try", path, path});
}

}  // namespace

std::vector<std::string> bubblewrap_command(const std::string& bubblewrap,
                                            const SandboxRequest& request, int status_descriptor,
                                            int filter_descriptor) {
  const Abilities abilities = abilities_of(bubblewrap);
  Words words{bubblewrap};
  add_namespaces(words, abilities);
  add_system(words);
  add(words, {"--proc", "/proc", "--dev", "/dev"});
  add_scratch(words, "/dev/shm", request.limits.scratch_bytes, abilities);
  add_scratch(words, "/tmp", request.limits.scratch_bytes, abilities);
  if (request.gpu) add_gpu(words);
  add_paths(words, request);
  protect_proc(words, request.gpu);
  // The root and /dev are file systems in memory without a size limit.
  for (const std::string path : {"/dev", "/"}) add(words, {"--remount-ro", path});
  add(words, {"--chdir", "/", "--json-status-fd", std::to_string(status_descriptor), "--seccomp",
              std::to_string(filter_descriptor), "--"});
  words.insert(words.end(), request.command.begin(), request.command.end());
  return words;
}

}  // namespace tessera
