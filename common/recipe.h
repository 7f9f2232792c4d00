// Data recipes: what the inputs of a case are filled with, always from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/host_matrix.h"

namespace tessera {

/// How to fill a matrix. `generator` is one of recipe_generators(), or "file" with `file` set. If
/// `low` or `high` is not set, the generator's default applies.
struct Recipe {
  std::string generator = "uniform";
  /// uniform and integers: the inclusive range; constant: the value is `low`.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::filesystem::path file = {};  // .npy; must have the operand's shape
};

/// The built-in generators: identity (1 if row == column, otherwise 0), integers (uniform whole
/// numbers in [-9, 9] for float32, [-99, 99] for int32), uniform ([-1, 1]; for int32 as integers),
/// permutation (a random permutation of the rows of the identity; rectangular: as many distinct
/// ones as fit), hilbert (1 / (row + column + 1); int32: row + column + 1), constant (low; 1 if it
/// is not set), zeros, ones, index (row * width + column).
const std::vector<std::string>& recipe_generators();

/// The recipe named `name`: a built-in generator, otherwise `datasets`/NAME.yaml, otherwise a path
/// ending in .npy (relative to `datasets`). A YAML recipe has the keys `generator`, `low`, `high`,
/// `file` (relative to `datasets`), `description`. If the YAML file has `operands: {A: {...}, B:
/// {...}}` instead, `operand` selects the entry. Errors: an unknown name (with the nearest name), a
/// mistake in the YAML file with its line.
Expected<Recipe> find_recipe(const std::string& name, const std::string& operand,
                             const std::filesystem::path& datasets);

/// Fills `matrix`, and its padding with poison_bits so that reading the padding shows. The same
/// recipe, seed and shape give the same bits on every machine (std::mt19937_64 does,
/// std::*_distribution does not). Errors: a file that cannot be read, has another shape or holds a
/// value that is not finite; a range that the element type cannot represent.
std::optional<Error> fill(HostMatrix& matrix, const Recipe& recipe, std::uint64_t seed);

/// Fills the elements with 0, 1, 2, ... in random order.
void fill_with_order(HostMatrix& matrix, std::uint64_t seed);

/// The pattern of elements that were never written: a NaN for float32, a rare value for int32.
std::uint32_t poison_bits(Element element);

/// Fills every element and the padding with poison_bits.
void poison(HostMatrix& matrix);

/// The same for the bytes of whole elements.
void poison(std::span<std::byte> bytes, Element element);

}  // namespace tessera
