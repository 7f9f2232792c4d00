// Runs the program `tessera` as a user does.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/text.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/lab/test_folder.h"

namespace tessera {

struct ProgramResult {
  int status = -1;
  std::string out;
  std::string err;
};

/// `tessera` in the folder's root, with the tests' cache. Output goes to files, so that a test can
/// read it while the program runs.
class RunningProgram {
 public:
  RunningProgram(const TestFolder& folder, std::vector<std::string> arguments)
      : folder_(folder.path()) {
    arguments.insert(arguments.begin(), TESSERA_PROGRAM);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("no process for the test");
    if (child_ == 0) execute(arguments);
  }

  std::string out() const { return content("out.txt"); }

  /// Waits, for at most a minute, until standard output has `text` that many times; returns whether
  /// it has.
  bool prints(const std::string& text, int times = 1) const {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      const std::string all = out();
      int found = 0;
      for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++found;
      if (found >= times) return true;
      if (std::chrono::steady_clock::now() > give_up) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  void interrupt() const { kill(child_, SIGINT); }
  void kill_now() const { kill(child_, SIGKILL); }
  pid_t process() const { return child_; }

  ProgramResult wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), out(),
            content("err.txt")};
  }

 private:
  [[noreturn]] void execute(std::vector<std::string>& arguments) const {
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    redirect("out.txt", STDOUT_FILENO);
    redirect("err.txt", STDERR_FILENO);
    const std::filesystem::path shared = shared_cache();
    setenv("TESSERA_CACHE", (shared.empty() ? folder_ / "cache" : shared).c_str(), 1);
    if (chdir(folder_.c_str()) == 0) execv(pointers[0], pointers.data());
    _exit(127);
  }

  void redirect(const char* name, int descriptor) const {
    const int file = open((folder_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
  }

  std::string content(const char* name) const {
    const auto text = read_file(folder_ / name);
    return text ? *text : "";
  }

  std::filesystem::path folder_;
  pid_t child_ = 0;
};

inline ProgramResult run_program(const TestFolder& folder, std::vector<std::string> arguments) {
  return RunningProgram(folder, std::move(arguments)).wait();
}

}  // namespace tessera
