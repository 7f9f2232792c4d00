// tessera doctor: what this machine offers, and how to get what it lacks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <thread>

#include "common/device_profile.h"
#include "grader/cli/commands.h"
#include "grader/cli/doctor_gpu.h"
#include "grader/cli/locations.h"
#include "grader/compile/compiler.h"
#include "grader/interpreter/confinement.h"
#include "grader/process/file_gate.h"
#include "grader/process/landlock.h"
#include "grader/process/sandbox.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

void print_row(const std::string& name, const std::string& text) {
  std::cout << fmt::format("{:<12}{}\n", name, text);
}

/// Whether at least one compiler works.
bool print_compilers() {
  bool any = false;
  for (const CompilerInfo& compiler : available_compilers()) {
    const std::string name = compiler.kind == CompilerKind::nvrtc ? "nvrtc" : "clang";
    any = any || compiler.available;
    print_row(name, compiler.available ? compiler.version : "not available: " + compiler.reason);
  }
  return any;
}

void print_simulator() {
  print_row("simulator",
            fmt::format("built in, {} CPU cores", std::thread::hardware_concurrency()));
}

void print_devices(const fs::path& folder) {
  print_row("devices", fmt::format("{} (choose with --device)",
                                   fmt::join(device_profile_names(folder), ", ")));
}

void print_gpu(const fs::path& worker) {
  std::string name = "gpu";
  for (const std::string& line : gpu_lines(gpu_devices(worker), counter_access())) {
    print_row(name, line);
    name.clear();
  }
}

void print_isolation() {
  const Isolation isolation = available_isolation();
  print_row("isolation", isolation.tier == IsolationTier::bubblewrap
                             ? "bubblewrap works"
                             : "only resource limits: " + isolation.reason);
}

/// Prints what confines the processes that run and compile submissions, apart from the isolation of
/// `batch`.
void print_confinement() {
  const auto missing = why_not_confined();
  const int landlock = landlock_version();
  const auto no_gate = why_no_file_gate();
  const std::string filter = missing ? "not available: " + *missing : "seccomp works";
  print_row("executes in", missing ? filter : filter + ": submissions can only compute");
  std::string files = "compilers see only headers";
  if (no_gate && landlock > 0) {
    files = "compilers read only headers, but can ask whether a file exists: " + *no_gate;
  } else if (no_gate) {
    files =
        "no Landlock either: a compiler that is attacked can read this user's files (Linux 5.13 "
        "or newer, with lsm=landlock): " +
        *no_gate;
  }
  print_row("compiles in",
            filter + (landlock > 0 ? fmt::format(", Landlock {}: ", landlock) : ": ") + files);
}

ExitStatus run_doctor() {
  const Expected<Locations> locations = find_kit();
  if (!locations) return usage_error(locations.error());
  const bool can_compile = print_compilers();
  print_simulator();
  print_devices(locations->kit.devices());
  print_gpu(locations->gpu_worker);
  print_row("nvcc", nvcc_line());
  print_isolation();
  print_confinement();
  print_row("cache", locations->compiler.cache_dir.empty()
                         ? "none can be written; set TESSERA_CACHE"
                         : locations->compiler.cache_dir.string());
  const Expected<Locations> course = find_locations("");
  print_row("labs", course ? course->kit.labs.string() : course.error().str());
  std::cout << (can_compile ? "\nready to grade\n"
                            : "\nno compiler: install clang (apt install clang); nothing has to be "
                              "built again\n");
  return can_compile ? kSuccess : kInfrastructure;
}

}  // namespace

Command add_doctor_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("doctor", "Say what this machine offers");
  return {command, run_doctor};
}

}  // namespace tessera
