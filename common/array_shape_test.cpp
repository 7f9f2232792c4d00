#include "common/array_shape.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CompletedShape, FollowsFromTheBytes) {
  EXPECT_THAT(completed_shape({4, {0, 8}}, 512).extents, ElementsAre(16, 8));
  EXPECT_EQ(completed_shape({0, {4, 8}}, 384).element_bytes, 12u);
  EXPECT_THAT(completed_shape({4, {16, 17}}, 1088).extents, ElementsAre(16, 17));
}

TEST(CompletedShape, IsEmptyIfTheBytesDisagree) {
  EXPECT_THAT(completed_shape({4, {16, 16}}, 1000).extents, IsEmpty());
  EXPECT_THAT(completed_shape({4, {0, 0}}, 1024).extents, IsEmpty());
  EXPECT_THAT(completed_shape({1, {1024, (std::uint64_t{1} << 63) + 1}}, 1024).extents, IsEmpty());
  EXPECT_THAT(completed_shape({0, {0}}, 1024).extents, IsEmpty());
  EXPECT_THAT(completed_shape({4, {0, 7}}, 1024).extents, IsEmpty());
}

TEST(ElementIndex, IsWrittenAsInTheSource) {
  const ArrayShape tile{4, {16, 17}};
  EXPECT_EQ(element_index(tile, 0), "[0][0]");
  EXPECT_EQ(element_index(tile, 4 * (3 * 17 + 5) + 2), "[3][5]");
  EXPECT_EQ(element_index(tile, 4 * 16 * 17), "[16][0]") << "past the end";
  EXPECT_EQ(element_index(tile, -4), "[-1][16]") << "before the start";
  EXPECT_EQ(element_index({8, {2, 3, 4}}, 8 * (12 + 4 + 1)), "[1][1][1]");
  EXPECT_EQ(element_index({}, 8), "");
}

}  // namespace
}  // namespace tessera
