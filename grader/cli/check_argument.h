// One kernel argument as --arg of `tessera check` gives it on the command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/simulator.h"

namespace tessera {

enum class ScalarKind { floating, signed_integer, unsigned_integer };

struct ScalarType {
  std::string name;  // "float32"
  ScalarKind kind = ScalarKind::floating;
  std::uint32_t bytes = 4;
};

/// "int32=64", "float32[4096]=uniform", "float32[64,48]=a.npy", "matrix:float32[64,48]=zeros".
struct ArgumentSpec {
  std::string text;  // as written
  ScalarType type;
  bool matrix = false;     // tessera/lab.cuh's Matrix by value; else an array is a pointer
  std::vector<int> shape;  // empty: a scalar; one number: elements; two: rows, columns
  std::string value;       // a number; for arrays a recipe, a .npy file, or "unwritten"
};

/// Errors give the text, what is wrong with it, and a correct example.
Expected<ArgumentSpec> parse_argument(const std::string& text);

/// The bytes of the kernel's parameter. Arrays are filled and placed in `memory` under `name`.
/// Recipes are looked up in `datasets`, .npy files relative to the current directory.
Expected<Argument> make_argument(const ArgumentSpec& spec, const std::string& name,
                                 std::uint64_t seed, const std::filesystem::path& datasets,
                                 DeviceMemory& memory);

}  // namespace tessera
