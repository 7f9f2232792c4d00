// PTX in a process of its own. What a submission's code could do to whoever executes it, it can do
// to that process alone, which may only compute (confinement.h) and holds nothing but the module
// and the launch that runs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/interpreter/messages.h"
#include "grader/process/channel.h"
#include "grader/process/second_try.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// The program to start, as it is installed beside `tessera`.
std::filesystem::path interpreter_beside(const std::filesystem::path& tessera);

struct InterpreterOptions {
  std::filesystem::path program;  // tessera-interpreter
  int threads = 0;                // of the simulator; 0: one a processor
  /// Processor time of one request, beyond what the steps take that a launch may have.
#ifdef __SANITIZE_ADDRESS__
  double cpu_seconds = 120;
#else
  double cpu_seconds = 30;
#endif
};

/// One process with one module at a time. After a crash the next request starts another process,
/// which loads the module again. May be used by many threads, one request at a time.
class Interpreter {
 public:
  /// Starts the process, and does not wait for it. Throws std::system_error where none can be
  /// started.
  explicit Interpreter(InterpreterOptions options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// load_module() there, in place of the module before. The kernels of the module, or why it does
  /// not load. Throws ProcessCrash, also where the process says that it failed, and NoProcess where
  /// none can be had, which has then not seen the PTX.
  using Loaded = Expected<std::vector<KernelInfo>, LoadError>;
  Loaded load(std::string ptx);

  /// As the functions of simulator.h. The request's memory is shared (DeviceMemory::Storage).
  /// `host_threads` is at most what the process has. A launch with a launch_step_limit that the
  /// process does not end in time is stopped with the finding step-limit; one that takes all of its
  /// memory with grader-crash. Throws as load() does.
  RunResult run(const RunRequest& request);
  std::optional<LaunchCounters> sample_launch(const RunRequest& request);

 private:
  void start();
  void stop();
  void require_ready();
  void require_loaded();
  Loaded load_now();
  RunReply launch(const RunRequest& request, bool sample);
  std::string ask(const std::string& bytes, std::span<const int> descriptors,
                  std::optional<double> cpu_seconds);
  [[noreturn]] void crash(Text what);

  InterpreterOptions options_;
  std::mutex mutex_;
  std::optional<Channel> channel_;
  pid_t process_ = -1;
  bool is_ready_ = false;
  bool is_loaded_ = false;
  std::string ptx_;
  std::vector<KernelInfo> kernels_;
};

/// Processes that wait for the next module: starting one takes milliseconds. A module that takes
/// over its process meets the modules after it there, so a pool serves the submissions of one
/// person, as one run of `tessera grade` does. May be used by many threads.
class InterpreterPool {
 public:
  /// `program` is tessera-interpreter.
  explicit InterpreterPool(std::filesystem::path program);
  ~InterpreterPool();

  /// A process that waits, or a new one, with so many threads of the simulator. It returns to the
  /// pool with the last pointer to it. Throws as Interpreter does.
  std::shared_ptr<Interpreter> take(int threads);

  /// Starts `count` of them, which are taken later. Where none can be started, take() says so.
  void prepare(std::size_t count, int threads);

  /// A pool of the same program that has no process in common with this one.
  std::shared_ptr<InterpreterPool> apart() const;

 private:
  struct Waiting;
  std::filesystem::path program_;
  std::shared_ptr<Waiting> waiting_;
};

}  // namespace tessera
