#include "grader/judge/compare/result_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using enum ElementState;

ElementState all_right(int, int) {
  return right;
}

LaunchShape launch_of(Dim3 grid, Dim3 block) {
  return {grid, block, 0};
}

/// The tile rows and columns of a rows x columns output for this launch.
std::pair<int, int> tiles(int rows, int columns, Dim3 grid, Dim3 block) {
  ResultMap map = result_map("C", rows, columns, all_right);
  set_tiles(map, launch_of(grid, block));
  return {map.tile_rows, map.tile_columns};
}

TEST(ResultMap, ASmallOutputHasACellAnElement) {
  const ResultMap map = result_map("C", 2, 4, [](int row, int column) {
    if (row == 0) return right;
    return column == 0 ? wrong : column == 1 ? not_finite : unwritten;
  });
  EXPECT_EQ(map.output, "C");
  EXPECT_EQ(map.rows, 2);
  EXPECT_EQ(map.columns, 4);
  EXPECT_EQ(map.cell_rows, 1);
  EXPECT_EQ(map.cell_columns, 1);
  EXPECT_THAT(map.cells, ElementsAre("....", "xnuu"));
  EXPECT_THAT(map.amounts, IsEmpty());
}

TEST(ResultMap, ALargeOutputHasAtMost64CellsASide) {
  const ResultMap map = result_map("C", 65, 1000, all_right);
  EXPECT_EQ(map.cell_rows, 2);
  EXPECT_EQ(map.cell_columns, 16);
  EXPECT_THAT(map.cells, SizeIs(33));
  EXPECT_THAT(map.cells, Each(std::string(63, '.')));
}

TEST(ResultMap, ACellShowsTheWorstOfItsElements) {
  const ResultMap map = result_map("C", 1, 2048, [](int, int column) {
    if (column == 4) return wrong;
    if (column == 5) return unwritten;
    return column == 2047 ? not_finite : right;
  });
  ASSERT_THAT(map.cells, SizeIs(1));
  EXPECT_EQ(map.cells[0], "..u" + std::string(1020, '.') + "n");
}

TEST(ResultMap, ACellShowsHowMuchOfItIsNotRight) {
  const ResultMap map = result_map("C", 128, 127, [](int row, int column) {
    if (row < 2 && column < 2) return wrong;
    if (row == 2 && column == 2) return wrong;
    if (row < 2 && column == 126) return unwritten;  // a cell that hangs over: two elements
    return row == 3 && column < 2 ? not_finite : right;
  });
  EXPECT_EQ(map.cells[0], "x" + std::string(62, '.') + "u");
  EXPECT_EQ(map.amounts[0], "9" + std::string(62, '0') + "9");
  EXPECT_EQ(map.cells[1], "nx" + std::string(62, '.'));
  EXPECT_EQ(map.amounts[1], "52" + std::string(62, '0'));
}

TEST(ResultMap, TheFullAmountMeansThatAllElementsAreWrong) {
  EXPECT_EQ(amount_of(0, 1), '0');
  EXPECT_EQ(amount_of(1, 1), '9');
  EXPECT_EQ(amount_of(1, 4096), '1');
  EXPECT_EQ(amount_of(2048, 4096), '5');
  EXPECT_EQ(amount_of(4095, 4096), '8');
  EXPECT_EQ(amount_of(4096, 4096), '9');
  EXPECT_EQ(amount_of(1, 2), '5');
}

TEST(ResultMap, LettersComeBack) {
  for (const ElementState state : {right, wrong, not_finite, unwritten})
    EXPECT_EQ(element_state(letter_of(state)), state);
  EXPECT_EQ(element_state('?'), std::nullopt);
  EXPECT_EQ(element_state('\0'), std::nullopt);
}

TEST(ResultMapTiles, AreBlocksWhereAThreadComputesOneElement) {
  EXPECT_EQ(tiles(64, 48, {3, 4}, {16, 16}), std::pair(16, 16));
  EXPECT_EQ(tiles(50, 50, {7, 13}, {8, 4}), std::pair(4, 8)) << "the last ones hang over";
}

TEST(ResultMapTiles, AreLargerWhereAThreadComputesSeveral) {
  EXPECT_EQ(tiles(256, 256, {4, 2}, {16, 16}), std::pair(128, 64));
}

TEST(ResultMapTiles, OfAVectorAreCountedInThreads) {
  EXPECT_EQ(tiles(1, 1000, {4}, {256}), std::pair(0, 256));
  EXPECT_EQ(tiles(1, 1000, {2, 2}, {16, 16}), std::pair(0, 256));
}

TEST(ResultMapTiles, OneBlockHasNoBorders) {
  EXPECT_EQ(tiles(16, 16, {1, 1}, {16, 16}), std::pair(0, 0));
  EXPECT_EQ(tiles(16, 64, {4, 1}, {16, 16}), std::pair(0, 16));
}

}  // namespace
}  // namespace tessera
