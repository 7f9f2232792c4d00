// Runs and checks one kernel, as `tessera check` does.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "grader/cli/locations.h"
#include "grader/compile/compiler.h"
#include "grader/report/report.h"
#include "grader/simulator/simulator.h"

namespace tessera {

struct CheckRequest {
  std::string file;  // a CUDA source, or PTX if it ends in .ptx
  std::string kernel;
  LaunchShape shape;
  std::vector<std::string>
      arguments;  // as --arg has them (check_argument.h), in the kernel's order
  CompilerKind compiler = CompilerKind::automatic;
  std::vector<std::filesystem::path> header_dirs;  // as --include has them, after the file's folder
  DeviceProfile device;
  std::uint64_t seed = 0;
  std::uint64_t step_limit = 0;  // as RunRequest has them
  std::uint64_t launch_step_limit = 0;
  int host_threads = 0;
  bool time_only = false;  // only the modelled time, from a few blocks of the grid; no findings
  std::vector<std::string> outputs;  // as --out has them, NAME=FILE.npy
};

struct CheckOutcome {
  CheckReport report;
  bool infra = false;  // the simulator's own limit, or no compiler
};

/// A mistake of the user (no such file, kernel or data; wrong arguments) or, with `infra` set, what
/// this machine lacks. What is wrong with the kernel is in the report.
struct CheckFailure {
  Error error;
  bool infra = false;
};
std::variant<CheckOutcome, CheckFailure> check_kernel(const CheckRequest& request,
                                                      const Locations& locations);

}  // namespace tessera
