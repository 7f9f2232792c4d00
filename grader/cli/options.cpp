#include "grader/cli/options.h"

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

namespace tessera {

void add_shared_options(CLI::App& command, SharedOptions& options) {
  command.add_option("--compiler", options.compiler, "auto, nvrtc or clang")
      ->check(CLI::IsMember({"auto", "nvrtc", "clang"}));
  command.add_option("--device", options.device, "Device profile that is simulated")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Repeats the inputs of an earlier run")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--json", options.json, "File for the records, or - for standard output");
  command.add_option("--threads", options.threads, "Host threads (default: all cores)")
      ->check(CLI::Range(0, 1024));
}

}  // namespace tessera
