// The message and the hint for an access outside of an array.
#include "grader/simulator/check/bounds_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace tessera::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ArrayExtents array_of(std::string name, std::uint64_t elements,
                      std::vector<std::uint64_t> extents) {
  ArrayExtents array;
  array.name = std::move(name);
  array.bytes = 4 * elements;
  array.element_bytes = 4;
  array.extents = std::move(extents);
  return array;
}

ArrayExtents flat(std::uint64_t count) {
  return array_of("input", count, {count});
}

ArrayExtents matrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t pitch) {
  ArrayExtents array = array_of("A", (rows - 1) * pitch + columns, {rows, columns});
  array.pitch = pitch;
  return array;
}

ArrayExtents tile() {
  ArrayExtents array = matrix(16, 16, 16);
  array.name = "As";
  array.shared = true;
  return array;
}

ArrayExtents dynamic(std::uint64_t bytes) {
  ArrayExtents array = array_of("shared", bytes / 4, {bytes / 4});
  array.shared = array.dynamic = true;
  return array;
}

Outside before(ArrayExtents array) {
  Outside outside;
  outside.array = std::move(array);
  outside.before = true;
  return outside;
}

Outside past(ArrayExtents array, bool by_first_thread = false) {
  Outside outside;
  outside.array = std::move(array);
  outside.past = true;
  outside.by_first_thread = by_first_thread;
  return outside;
}

OutsideAccess access(Phrase verb, ArrayElement element, std::int64_t offset, std::uint64_t bytes) {
  return {
      .verb = verb, .element = std::move(element), .thread = {}, .offset = offset, .bytes = bytes};
}

std::string message_of(const ArrayExtents& array, const OutsideAccess& access) {
  return outside_message(array, access).str();
}

std::string text_of(const ArrayExtents& array) {
  return extents_text(array).str();
}

std::string hint_of(const Outside& outside) {
  return outside_hint(outside).str();
}

TEST(OutsideMessage, NamesTheThreadAndItsBlock) {
  OutsideAccess reads = access(Phrase::reads, {"input", "[-1]"}, -4, 4);
  reads.thread = {"(0, 0, 0)", "(3, 0, 0)"};
  EXPECT_EQ(
      message_of(flat(1000), reads),
      "reads input[-1] (thread (0, 0, 0) of block (3, 0, 0)), 4 bytes before the start (input "
      "has elements 0 to 999)");
  reads.element = {"A", "[-1][29]"};
  EXPECT_THAT(message_of(matrix(50, 30, 30), reads),
              StartsWith("reads A[-1][29] (that is A[0][-1]; thread (0, 0, 0) of block (3, 0, 0)), "
                         "4 bytes before"));
}

TEST(Unwrapped, AnUnsignedIndexBelowZeroIsNegative) {
  EXPECT_EQ(unwrapped(std::int64_t{4} * 4294967295, 4), -4);
  EXPECT_EQ(unwrapped(std::int64_t{8} * 4294967294, 8), -16);
  EXPECT_EQ(unwrapped(4000, 4), 4000);
  EXPECT_EQ(unwrapped(-4, 4), -4);
  EXPECT_EQ(unwrapped(std::int64_t{4} << 32, 4), std::int64_t{4} << 32)
      << "2^32 is no negative index";
  EXPECT_EQ(unwrapped(4000, 0), 4000) << "elements of an unknown size";
}

TEST(OutsideMessage, NamesTheElementTheDistanceAndTheExtents) {
  EXPECT_EQ(message_of(flat(1000), access(Phrase::reads, {"input", "[1000]"}, 4000, 4)),
            "reads input[1000], 4 bytes past the end (input has elements 0 to 999)");
  EXPECT_EQ(message_of(flat(1000), access(Phrase::reads, {"input", "[-1]"}, -4, 4)),
            "reads input[-1], 4 bytes before the start (input has elements 0 to 999)");
  EXPECT_EQ(message_of(matrix(6, 18, 20), access(Phrase::writes, {"C", "[6][3]"}, 492, 4)),
            "writes C[6][3], 24 bytes past the end (A has rows 0 to 5 and columns 0 to 17, with 20 "
            "elements from row to row)");
}

TEST(OutsideMessage, APlaceBesideADenseMatrixHasASecondName) {
  EXPECT_EQ(message_of(matrix(50, 30, 30), access(Phrase::reads, {"A", "[50][0]"}, 6000, 4)),
            "reads A[50][0] (that is A[49][30]), 4 bytes past the end (A has rows 0 to 49 and "
            "columns 0 to 29)");
  EXPECT_EQ(message_of(matrix(50, 30, 30), access(Phrase::reads, {"A", "[-1][29]"}, -4, 4)),
            "reads A[-1][29] (that is A[0][-1]), 4 bytes before the start (A has rows 0 to 49 and "
            "columns 0 to 29)");
  EXPECT_EQ(message_of(tile(), access(Phrase::reads, {"As", "[16][3]"}, 1036, 4)),
            "reads As[16][3] (that is As[15][19]), 16 bytes past the end (As has rows 0 to 15 and "
            "columns 0 to 15)");
  EXPECT_THAT(message_of(matrix(2, 4, 4), access(Phrase::reads, {"A", "[3][0]"}, 48, 4)),
              Not(HasSubstr("that is")))
      << "a whole row lies between";
}

TEST(OutsideMessage, AWideAccessMayCrossTheEnd) {
  EXPECT_EQ(message_of(flat(30), access(Phrase::reads, {"input", "[28]"}, 112, 16)),
            "reads input[28], the last 8 of its 16 bytes are past the end (input has elements 0 to "
            "29)");
}

TEST(ExtentsText, FitsTheArray) {
  EXPECT_EQ(text_of(flat(1)), "input has 1 element");
  EXPECT_EQ(text_of(flat(0)), "input has no elements");
  EXPECT_EQ(text_of(matrix(1, 30, 30)), "A has row 0 and columns 0 to 29");
  EXPECT_EQ(text_of(dynamic(32)), "shared has 32 bytes, which hold 8 elements of 4 bytes");
  ArrayExtents unknown = dynamic(100);
  unknown.extents.clear();
  EXPECT_EQ(text_of(unknown), "shared has 100 bytes");
  ArrayExtents deep = tile();
  deep.extents = {2, 16, 16};
  EXPECT_EQ(text_of(deep), "As has 2 x 16 x 16 elements");
}

TEST(OutsideHint, BeforeTheStartAsksForTheMissingNeighbour) {
  EXPECT_THAT(hint_of(before(flat(9))),
              StartsWith("Nothing lies before input[0]: the first element has no left neighbour."));
  EXPECT_THAT(hint_of(before(tile())),
              StartsWith("Nothing lies before As[0][0]: the first row has none above it, the first "
                         "column none to its left."));
}

TEST(OutsideHint, SaysThatTheIndexIsUnsigned) {
  Outside outside = before(flat(9));
  EXPECT_THAT(hint_of(outside), Not(HasSubstr("unsigned")));
  outside.wrapped = true;
  EXPECT_THAT(hint_of(outside), StartsWith("The index is unsigned"));
  EXPECT_THAT(hint_of(outside), HasSubstr("Nothing lies before input[0]"));
}

TEST(OutsideHint, ASharedArrayIsTooSmallOnlyIfNoGuardIsMissing) {
  EXPECT_THAT(hint_of(past(tile())), HasSubstr("need a guard. Only if every"));
  EXPECT_THAT(hint_of(past(tile(), true)), Not(HasSubstr("large enough")));
}

TEST(OutsideHint, AFlatArrayHasNoRows) {
  const std::string hint = hint_of(past(flat(1000)));
  EXPECT_THAT(hint, HasSubstr("compare it with the number of elements (1,000) first"));
  EXPECT_THAT(hint, HasSubstr("where does the loop end?"));
  EXPECT_THAT(hint, Not(HasSubstr("row")));
}

TEST(OutsideHint, AMatrixAsksForAGuardOnlyIfBlocksStickOut) {
  const std::string hint = hint_of(past(matrix(50, 30, 30)));
  EXPECT_THAT(hint, HasSubstr("where blocks stick out over the matrix's edge it needs a guard"));
  EXPECT_THAT(hint, HasSubstr("where does the loop end?"));
  EXPECT_THAT(hint, HasSubstr("the row length is that of another matrix"));
}

TEST(OutsideHint, NoGuardIsMissingIfTheFirstThreadGoesTooFar) {
  for (const ArrayExtents& array : {matrix(50, 30, 30), flat(1000), tile()}) {
    const std::string hint = hint_of(past(array, true));
    EXPECT_THAT(hint, StartsWith("Even the first thread of the grid, whose own"));
    EXPECT_THAT(hint, Not(HasSubstr("needs a guard")));
  }
}

TEST(OutsideHint, DynamicSharedMemoryIsCountedInBytes) {
  EXPECT_THAT(
      hint_of(past(dynamic(32), true)),
      StartsWith("Does launch() give the bytes of all arrays together: their elements times "
                 "the bytes of an element?"));
}

TEST(OutsideHint, NamesBothEnds) {
  Outside outside = past(flat(9));
  outside.before = true;
  const std::string hint = hint_of(outside);
  EXPECT_THAT(hint, HasSubstr("no left neighbour"));
  EXPECT_THAT(hint, HasSubstr("At the other end: Which index goes too far?"));
}

}  // namespace
}  // namespace tessera::sim
