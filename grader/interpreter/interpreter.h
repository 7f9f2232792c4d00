// Runs PTX in a process of its own. Whatever a submission's code could do to the process that
// executes it, that process may only compute (confinement.h) and holds only the module and the
// running launch.
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
  int threads = 0;                // of the simulator; 0: one for each processor
  /// Processor time of one request, beyond the time for a launch's allowed steps.
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
  /// Starts the process without waiting for it. Throws std::system_error if it cannot be started.
  explicit Interpreter(InterpreterOptions options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// Runs load_module() in the process, replacing the previous module. Returns the module's
  /// kernels, or why it does not load. Throws ProcessCrash, also if the process reports a failure,
  /// and NoProcess if no process could be started, before any has seen the PTX.
  using Loaded = Expected<std::vector<KernelInfo>, LoadError>;
  Loaded load(std::string ptx);

  /// Like the functions of simulator.h. The request's memory is shared (DeviceMemory::Storage).
  /// `host_threads` is at most the number of the process's threads. A launch with a
  /// launch_step_limit that does not end in time is stopped with the finding step-limit, and a
  /// launch that uses up the process's memory with grader-crash. Throws as load() does.
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

/// Processes that wait for the next module, since starting one takes milliseconds. A module that
/// takes over its process could harm later modules, so a pool serves the submissions of one person,
/// as in one run of `tessera grade`. May be used by many threads.
class InterpreterPool {
 public:
  /// `program` is tessera-interpreter.
  explicit InterpreterPool(std::filesystem::path program);
  ~InterpreterPool();

  /// A waiting process, or a new one, with this number of simulator threads. It returns to the pool
  /// with the last pointer to it. Throws as Interpreter does.
  std::shared_ptr<Interpreter> take(int threads);

  /// Starts `count` processes for later. If none can be started, take() reports it.
  void prepare(std::size_t count, int threads);

  /// A pool of the same program that shares no process with this one.
  std::shared_ptr<InterpreterPool> apart() const;

 private:
  struct Waiting;
  std::filesystem::path program_;
  std::shared_ptr<Waiting> waiting_;
};

}  // namespace tessera
