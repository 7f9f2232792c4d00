#include "grader/simulator/check/bounds_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "common/numbers.h"

namespace tessera::sim {
namespace {

bool is_matrix(const ArrayExtents& array) {
  return array.extents.size() == 2;
}

/// How far an access lies from the array.
Text distance(std::int64_t offset, std::uint64_t bytes, std::uint64_t size) {
  if (offset < 0) return say(Phrase::before_start, magnitude(offset));
  const auto at = static_cast<std::uint64_t>(offset);
  if (at >= size) return say(Phrase::past_end, at - size + bytes);
  if (at + bytes <= size) return Phrase::in_other_memory;
  return say(Phrase::partly_past_end, at + bytes - size, bytes);
}

/// Returns the second name, such as A[16][23], of a place within one row above or below a dense
/// matrix.
std::optional<ArrayElement> second_name_of(const ArrayExtents& array, std::int64_t offset) {
  if (!is_matrix(array) || array.pitch != array.extents[1]) return std::nullopt;
  if (array.extents[0] == 0 || array.pitch == 0) return std::nullopt;
  const auto size = static_cast<std::int64_t>(array.element_bytes);
  const auto pitch = static_cast<std::int64_t>(array.pitch);
  const auto last = static_cast<std::int64_t>(array.extents[0]) - 1;
  const std::int64_t index = offset / size - (offset % size < 0 ? 1 : 0);
  const std::int64_t row = index < 0 ? 0 : last;
  const std::int64_t column = index - row * pitch;
  const bool next_row = column < 0 ? column >= -pitch : column >= pitch && column < 2 * pitch;
  if (!next_row) return std::nullopt;
  return ArrayElement{array.name, fmt::format("[{}][{}]", row, column)};
}

ArrayElement first_element(const ArrayExtents& array) {
  ArrayElement element{array.name, ""};
  for (std::size_t i = 0; i < array.extents.size(); ++i) element.index += "[0]";
  return element;
}

Text before_hint(const ArrayExtents& array) {
  if (array.extents.empty()) return say(Phrase::before_unknown_hint, Name{array.name});
  return say(array.flat() ? Phrase::before_flat_hint : Phrase::before_matrix_hint,
             first_element(array));
}

Text past_hint(const Outside& outside) {
  const ArrayExtents& array = outside.array;
  if (array.dynamic) return Phrase::past_dynamic_hint;
  if (array.shared) {
    return outside.by_first_thread ? Phrase::past_shared_first_thread_hint
                                   : Phrase::past_shared_hint;
  }
  if (outside.by_first_thread) {
    return array.flat() ? Phrase::past_flat_first_thread_hint
                        : Phrase::past_matrix_first_thread_hint;
  }
  if (array.flat()) return say(Phrase::past_flat_hint, Detail(grouped(array.extents[0])));
  return Phrase::past_matrix_hint;
}

}  // namespace

Text extents_text(const ArrayExtents& array) {
  const Name name{array.name};
  if (array.dynamic && array.flat()) {
    return say(Phrase::has_dynamic_elements, name, Count{array.bytes, Phrase::byte},
               Count{array.extents[0], Phrase::element}, Count{array.element_bytes, Phrase::byte});
  }
  if (array.extents.empty()) return say(Phrase::has_bytes, name, Count{array.bytes, Phrase::byte});
  if (array.bytes == 0) return say(Phrase::has_nothing, name);
  if (array.flat() && array.extents[0] == 1) return say(Phrase::has_one_element, name);
  if (array.flat()) return say(Phrase::has_elements, name, array.extents[0] - 1);
  if (!is_matrix(array)) {
    const std::string extents = fmt::format("{}", fmt::join(array.extents, " x "));
    return say(Phrase::has_extents, name, Detail(extents));
  }
  const auto [rows, columns] = std::pair(array.extents[0], array.extents[1]);
  Text text = rows == 1 ? say(Phrase::has_one_row, name) : say(Phrase::has_rows, name, rows - 1);
  text += columns == 1 ? Text(Phrase::and_one_column) : say(Phrase::and_columns, columns - 1);
  if (array.pitch != columns) text += say(Phrase::padded_rows, array.pitch);
  return text;
}

Text outside_message(const ArrayExtents& array, const OutsideAccess& access) {
  Text text = say(Phrase::outside, access.verb, access.element);
  const std::optional<ArrayElement> second_name = second_name_of(array, access.offset);
  const bool known = !access.thread.index.empty();
  if (second_name && known) {
    text += say(Phrase::outside_alias_by, *second_name, access.thread);
  } else if (second_name) {
    text += say(Phrase::outside_alias, *second_name);
  } else if (known) {
    text += say(Phrase::outside_by, access.thread);
  }
  text += distance(access.offset, access.bytes, array.bytes);
  return text + extents_text(array) + Phrase::outside_end;
}

std::int64_t unwrapped(std::int64_t offset, std::uint32_t element_bytes) {
  const std::int64_t all = static_cast<std::int64_t>(element_bytes) << 32;
  return offset >= all / 2 && offset < all ? offset - all : offset;
}

Text outside_hint(const Outside& outside) {
  if (outside.by == AddressedBy::fragment) return Phrase::outside_fragment_hint;
  if (outside.by == AddressedBy::matrix_rows) return Phrase::outside_matrix_rows_hint;
  if (outside.by == AddressedBy::descriptor) return Phrase::outside_descriptor_hint;
  Text hint = outside.wrapped ? Text(Phrase::unsigned_index_hint) : Text();
  if (outside.before) hint += before_hint(outside.array);
  if (!outside.past) return hint;
  if (outside.before) hint += Phrase::at_the_other_end;
  return hint + past_hint(outside);
}

}  // namespace tessera::sim
