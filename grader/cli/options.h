// Options that `grade` and `check` have in common.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace tessera {

struct SharedOptions {
  std::string compiler = "auto";
  std::string device = "nvidia-h200";
  std::optional<std::uint64_t> seed;
  std::string json;
  int threads = 0;
};

/// For an option that takes a seed: a whole number that 64 bits hold.
std::string seed_mistake(const std::string& text);

void add_shared_options(CLI::App& command, SharedOptions& options);

}  // namespace tessera
