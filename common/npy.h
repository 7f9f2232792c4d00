// NumPy's .npy files (format 1.0 and 2.0), C order, little-endian float32, float64, int32 and
// int64, one or two dimensions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "common/expected.h"
#include "common/host_matrix.h"

namespace tessera {

/// Reads a file as a matrix (a 1-D array is one row). float64 and int64 are converted to `element`;
/// a value that int32 cannot hold is an error. Errors name the file and what was found.
Expected<HostMatrix> read_npy(const std::filesystem::path& path, Element element);

/// Writes height x width elements without the padding. Returns the error, if any.
std::optional<Error> write_npy(const std::filesystem::path& path, const HostMatrix& matrix);

/// Writes an array of this shape, whose elements are of the type that NumPy calls `type`: "<f8" for
/// doubles, "<u1" for bytes. Returns the error, if any.
std::optional<Error> write_npy(const std::filesystem::path& path, std::string_view type,
                               std::span<const int> shape, std::span<const std::byte> elements);

}  // namespace tessera
