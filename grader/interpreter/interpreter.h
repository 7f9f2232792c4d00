// PTX in a process of its own. What a submission's code could do to whoever executes it, it can do
// to that process alone, which may only compute (confinement.h) and holds nothing but the module
// and the launch that runs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/interpreter/messages.h"
#include "grader/process/channel.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// Where the process finds its end of the channel.
inline constexpr int kInterpreterDescriptor = 3;

/// The program to start, as it is installed beside `tessera`.
std::filesystem::path interpreter_beside(const std::filesystem::path& tessera);

/// The process ended in the midst of its work, or answered what no interpreter answers. Whether the
/// code that it executed is to blame shows when it is tried again: with_second_try().
struct InterpreterCrash : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InterpreterOptions {
  std::filesystem::path program;  // tessera-interpreter
  int threads = 0;                // of the simulator; 0: one a processor
};

/// One process with one module. After a crash the next request starts another process, which loads
/// the module again. May be used by many threads, one request at a time.
class Interpreter {
 public:
  /// Starts the process, and does not wait for it. Throws std::system_error where none can be
  /// started.
  explicit Interpreter(InterpreterOptions options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// load_module() there, once. The kernels of the module, or why the PTX is none. Throws
  /// InterpreterCrash, and std::runtime_error for what is no fault of the PTX.
  Expected<std::vector<KernelInfo>> load(std::string ptx);

  /// As the functions of simulator.h. The request's memory is shared (DeviceMemory::Storage).
  /// `host_threads` is at most what the process has. Throws as load() does.
  RunResult run(const RunRequest& request);
  std::optional<LaunchCounters> sample_launch(const RunRequest& request);

 private:
  void start();
  void stop();
  void require_ready();
  void require_loaded();
  Expected<std::vector<KernelInfo>> load_now();
  RunReply launch(const RunRequest& request, bool sample);
  std::string ask(const std::string& bytes, std::span<const int> descriptors);
  [[noreturn]] void crash(const std::string& what);

  InterpreterOptions options_;
  std::mutex mutex_;
  std::optional<Channel> channel_;
  pid_t process_ = -1;
  bool is_ready_ = false;
  bool is_loaded_ = false;
  std::string ptx_;
  std::vector<KernelInfo> kernels_;
};

/// work(), and where the interpreter crashes once more: a process may die of something else.
template <class Work>
auto with_second_try(const Work& work) {
  try {
    return work();
  } catch (const InterpreterCrash&) {
    return work();
  }
}

}  // namespace tessera
