#include "grader/simulator/bounds_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/numbers.h"

namespace tessera::sim {
namespace {

/// "rows 0 to 49", "row 0".
std::string numbers(std::string_view word, std::uint64_t count) {
  return count == 1 ? fmt::format("{} 0", word) : fmt::format("{}s 0 to {}", word, count - 1);
}

bool is_matrix(const ArrayExtents& array) {
  return array.extents.size() == 2;
}

/// How far an access reaches.
std::string distance(std::int64_t offset, std::uint64_t bytes, std::uint64_t size) {
  if (offset < 0) return fmt::format("{} bytes before the start", magnitude(offset));
  const auto at = static_cast<std::uint64_t>(offset);
  if (at >= size) return fmt::format("{} bytes past the end", at - size + bytes);
  if (at + bytes <= size) return "which lies in another memory than the instruction names";
  return fmt::format("the last {} of its {} bytes are past the end", at + bytes - size, bytes);
}

/// Above the first row of a dense matrix, and below the last, a place has two names: "A[16][23]".
std::string other_name(const ArrayExtents& array, std::int64_t offset) {
  if (!is_matrix(array) || array.pitch != array.extents[1]) return "";
  if (array.extents[0] == 0 || array.pitch == 0) return "";
  const auto size = static_cast<std::int64_t>(array.element_bytes);
  const auto pitch = static_cast<std::int64_t>(array.pitch);
  const auto last = static_cast<std::int64_t>(array.extents[0]) - 1;
  const std::int64_t index = offset / size - (offset % size < 0 ? 1 : 0);
  const std::int64_t row = index < 0 ? 0 : last;
  const std::int64_t column = index - row * pitch;
  const bool next_row = column < 0 ? column >= -pitch : column >= pitch && column < 2 * pitch;
  return next_row ? fmt::format("{}[{}][{}]", array.name, row, column) : "";
}

std::string first_element(const ArrayExtents& array) {
  std::string text = array.name;
  for (std::size_t i = 0; i < array.extents.size(); ++i) text += "[0]";
  return text;
}

std::string before_hint(const ArrayExtents& array) {
  if (array.extents.empty())
    return fmt::format("The index is negative: nothing lies before {}.", array.name);
  return fmt::format(
      "Nothing lies before {}: {}. Which thread asks for it, and what is right for that thread?",
      first_element(array),
      array.flat() ? "the first element has no left neighbour"
                   : "the first row has none above it, the first column none to its left");
}

std::string past_shared_hint(const Outside& outside) {
  const ArrayExtents& array = outside.array;
  if (array.dynamic) {
    return "Are the bytes in launch() the elements of all arrays together, times the bytes of one? "
           "If they are, look at the index, and at where each array starts.";
  }
  if (outside.by_first_thread) {
    return "Even the first thread of the grid goes too far, whose own index is 0: look at what is "
           "added to it. A loop's counter: does the loop end with <, not with <=? A place further "
           "on: is a guard missing for what lies beyond the last element?";
  }
  return "Which index goes too far? A loop's counter: the loop must end with <, not with <=. One "
         "that counts through the whole grid: inside a block's array it is threadIdx. A "
         "thread's own, or a neighbour's: threads that have no such element need a guard. Only if "
         "each of them must have one is the array too small.";
}

std::string past_global_hint(const Outside& outside) {
  const ArrayExtents& array = outside.array;
  if (outside.by_first_thread) {
    return array.flat() ? "Even the first thread of the grid goes too far, whose own index is 0: "
                          "look at what is added to it. A loop's counter: where does the loop end?"
                        : "Even the first thread of the grid goes too far, whose own row and "
                          "column are 0: look at what is added to them (a loop's counter: where "
                          "does the loop end?) and at the row length.";
  }
  if (array.flat()) {
    return fmt::format(
        "Which index goes too far? A thread's own: compare it with the number of elements ({}) "
        "first, with < and not with <=. A loop's counter: where does the loop end?",
        grouped(array.extents[0]));
  }
  return "Which index goes too far? A thread's own row or column: where blocks stick out over the "
         "matrix's edge it needs a guard, with < and the right extent. A loop's counter: where "
         "does "
         "the loop end? Neither: row and column are exchanged, or the row length is another's.";
}

}  // namespace

std::string extents_text(const ArrayExtents& array) {
  const std::string& name = array.name;
  if (array.dynamic && array.flat()) {
    return fmt::format("{} has {}, which hold {} of {}", name, counted(array.bytes, "byte"),
                       counted(array.extents[0], "element"), counted(array.element_bytes, "byte"));
  }
  if (array.extents.empty()) return fmt::format("{} has {}", name, counted(array.bytes, "byte"));
  if (array.bytes == 0) return fmt::format("{} has no elements", name);
  if (array.flat() && array.extents[0] == 1) return fmt::format("{} has 1 element", name);
  if (array.flat()) return fmt::format("{} has {}", name, numbers("element", array.extents[0]));
  if (!is_matrix(array))
    return fmt::format("{} has {} elements", name, fmt::join(array.extents, " x "));
  const std::string padded = array.pitch == array.extents[1]
                                 ? ""
                                 : fmt::format(", with {} elements from row to row", array.pitch);
  return fmt::format("{} has {} and {}{}", name, numbers("row", array.extents[0]),
                     numbers("column", array.extents[1]), padded);
}

std::string outside_message(const ArrayExtents& array, const OutsideAccess& access) {
  std::vector<std::string> remarks;
  if (std::string name = other_name(array, access.offset); !name.empty())
    remarks.push_back("that is " + std::move(name));
  if (!access.thread.empty())
    remarks.push_back(fmt::format("thread {} of block {}", access.thread, access.block));
  const std::string remark = remarks.empty() ? "" : fmt::format(" ({})", fmt::join(remarks, "; "));
  return fmt::format("{} {}{}, {} ({})", access.verb, access.element, remark,
                     distance(access.offset, access.bytes, array.bytes), extents_text(array));
}

std::int64_t unwrapped(std::int64_t offset, std::uint32_t element_bytes) {
  const std::int64_t all = static_cast<std::int64_t>(element_bytes) << 32;
  return offset >= all / 2 && offset < all ? offset - all : offset;
}

std::string outside_hint(const Outside& outside) {
  std::string hint = outside.before ? before_hint(outside.array) : "";
  if (outside.wrapped) {
    hint =
        "The index is unsigned: below 0 it goes on at 4,294,967,295, so that `< 0` is never true "
        "of it. " +
        hint;
  }
  if (!outside.past) return hint;
  if (outside.before) hint += " At the other end: ";
  return hint + (outside.array.shared ? past_shared_hint(outside) : past_global_hint(outside));
}

}  // namespace tessera::sim
