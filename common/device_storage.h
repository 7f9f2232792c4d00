// Matrices as device memory holds them: the elements in the matrix's Storage, without the padding
// after the last row.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "common/host_matrix.h"

namespace tessera {

/// Bytes of one element: 2 or 4.
std::size_t stored_size(Storage storage);

/// The type of an element in a kernel: "float", "int", "__nv_bfloat16", "__half".
std::string_view type_name(Element element, Storage storage);

/// How many elements the matrix has in device memory. The padding after the last row is not
/// allocated, so that an access to it is out of bounds.
std::size_t stored_elements(const HostMatrix& matrix);
std::size_t device_bytes(const HostMatrix& matrix);

/// Rounds each element to the nearest value that the matrix's storage can hold. A 16-bit float that
/// overflows becomes infinite.
void round_to_storage(HostMatrix& matrix);

/// The bytes of the matrix in device memory. Its elements must be values that its storage can hold.
std::vector<std::byte> to_device(const HostMatrix& matrix);
/// Writes these bytes to the first device_bytes() of `to`.
void to_device(const HostMatrix& matrix, std::span<std::byte> to);

/// Fills the matrix with what device memory holds: `bytes`, of which there are device_bytes().
/// Throws std::invalid_argument if there are not. The padding after the last row stays as it is.
void from_device(std::span<const std::byte> bytes, HostMatrix& matrix);

}  // namespace tessera
