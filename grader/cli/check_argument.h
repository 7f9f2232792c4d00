// One kernel argument as --arg of `tessera check` gives it on the command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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

/// An argument, as written:
///
///     number     int32=64
///     array      float32[4096]=uniform, float32[64,48]=a.npy, float32[64]+8=index@40
///     matrix     matrix:float32[64,48]=zeros
///     pointer    &x, &x[12]
///     structure  struct:int32=3,float32[64]=ones
///     bytes      bytes:0a0b0c0d
struct ArgumentSpec {
  enum class Kind { number, array, matrix, pointer, structure, bytes };
  std::string text;  // as written
  Kind kind = Kind::number;
  ScalarType type;           // of a number, or of an array's elements
  std::vector<int> shape;    // of an array: its elements, or rows and columns
  std::string value;         // a number; a recipe, a .npy file or "unwritten"; the digits of bytes
  std::uint64_t offset = 0;  // of a pointer into its array, in elements
  std::optional<std::uint64_t> written;  // elements from the start that hold data; else all
  std::string array;                     // that a pointer leads to, by its parameter
  std::vector<ArgumentSpec> members;     // of a structure
};

/// Errors give the text, what is wrong with it, and a correct example.
Expected<ArgumentSpec> parse_argument(const std::string& text);

/// An array in the memory of the device.
struct PlacedArray {
  std::string name;
  std::uint64_t address = 0;
  ScalarType type;
  std::vector<int> shape;
};

/// Where arguments are made.
struct ArgumentPlace {
  std::filesystem::path datasets;  // of recipes; .npy files are relative to the current directory
  DeviceMemory& memory;
  std::vector<PlacedArray> arrays;  // so far
};

/// The bytes of the kernel's parameter `name`. Arrays are filled and placed; a structure has the
/// layout that C++ gives it.
Expected<Argument> make_argument(const ArgumentSpec& spec, const std::string& name,
                                 std::uint64_t seed, ArgumentPlace& place);

/// How to write an argument for a parameter of this type ("const float*"), if `spec` has another
/// type: a float for an int, int32 elements for a pointer to floats. Numbers with and without a
/// sign are the same here. std::nullopt if it fits, or if the type does not say: a struct, a
/// pointer to void.
std::optional<std::string> argument_instead(std::string_view type, const ArgumentSpec& spec);

/// Writes the contents of an array as a .npy file; elements of bfloat16 become float32. Returns the
/// error, if any.
std::optional<Error> write_array(const std::filesystem::path& file, const PlacedArray& array,
                                 DeviceMemory& memory);

}  // namespace tessera
