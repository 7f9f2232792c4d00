#include "grader/cli/options.h"

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <charconv>

namespace tessera {

std::string seed_mistake(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, seed);
  if (!text.empty() && status == std::errc() && stop == end) return "";
  return "'" + text + "' is no seed: a whole number from 0 to 18446744073709551615";
}

void add_shared_options(CLI::App& command, SharedOptions& options) {
  command.add_option("--compiler", options.compiler, "auto, nvrtc or clang")
      ->check(CLI::IsMember({"auto", "nvrtc", "clang"}));
  command.add_option("--device", options.device, "Device profile that is simulated")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Repeats the inputs of an earlier run")
      ->check(seed_mistake);
  command.add_option("--json", options.json, "File for the records, or - for standard output");
  command.add_option("--threads", options.threads, "Host threads (default: all cores)")
      ->check(CLI::Range(0, 1024));
}

}  // namespace tessera
