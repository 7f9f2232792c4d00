// The message and the hint for an access outside of an array: what it reaches, where the array
// ends, and where the student should look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/wording.h"

namespace tessera::sim {

/// An array as a message describes it.
struct ArrayExtents {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 0;     // 0: not known
  std::vector<std::uint64_t> extents;  // outermost first; a flat array has one; empty: not known
  std::uint64_t pitch = 0;             // of a matrix: elements from one row to the next
  bool shared = false;                 // in shared memory
  bool dynamic = false;                // in dynamic shared memory

  bool flat() const { return extents.size() == 1; }
};

/// What calculates the addresses of an access: the index of each thread; a wmma function, from the
/// place of a block and the distance of its rows; or each lane for a row of ldmatrix.
enum class AddressedBy : std::uint8_t { thread, fragment, matrix_rows, descriptor };

/// What all accesses of one finding did.
struct Outside {
  ArrayExtents array{};
  AddressedBy by = AddressedBy::thread;
  bool before = false;           // some begin before its start
  bool past = false;             // some end past its end
  bool stores = false;           // some store
  bool by_first_thread = false;  // some begin past the end in the first thread of the grid
  bool wrapped = false;          // some have an unsigned index that went below 0
};

/// One access that lies outside of an array, wholly or in part.
struct OutsideAccess {
  Phrase verb;              // reads, writes, updates
  ArrayElement element;     // where it begins: tile[-1]
  Thread thread;            // with its block; empty: not known
  std::int64_t offset = 0;  // where it begins, in bytes from the array's start
  std::uint64_t bytes = 0;
};

/// "A has rows 0 to 49 and columns 0 to 29", "tile has elements 0 to 255", "shared has 32 bytes,
/// which hold 8 elements of 4 bytes".
Text extents_text(const ArrayExtents& array);

/// "reads A[50][0] (that is A[49][30]; thread (2, 2, 0) of block (0, 3, 0)), 4 bytes past the end
/// (A has rows 0 to 49 and columns 0 to 29)".
Text outside_message(const ArrayExtents& array, const OutsideAccess& access);

/// Returns the offset that was meant if an unsigned 32-bit index went below 0: the index wrapped to
/// nearly 2^32, and the offset to nearly 2^32 elements. Returns any other offset unchanged.
std::int64_t unwrapped(std::int64_t offset, std::uint32_t element_bytes);

/// The absolute value of an offset.
inline std::uint64_t magnitude(std::int64_t offset) {
  const auto bits = static_cast<std::uint64_t>(offset);
  return offset < 0 ? 0 - bits : bits;
}

/// Returns a hint where to look. It holds for every cause that the facts leave open.
Text outside_hint(const Outside& outside);

}  // namespace tessera::sim
