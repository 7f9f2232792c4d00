#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/testing.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;
using enum ElementState;

/// A map whose tiles have these extents.
template <class State>
ResultMap tiled(int rows, int columns, int tile_rows, int tile_columns, State state) {
  ResultMap map = result_map("C", rows, columns, state);
  map.tile_rows = tile_rows;
  map.tile_columns = tile_columns;
  return map;
}

ResultMap small_map() {
  return tiled(4, 6, 2, 3, [](int row, int column) {
    if (row == 3) return column == 0 ? not_finite : unwritten;
    return column == 5 ? wrong : right;
  });
}

std::string utf8(const ResultMap& map) {
  return map_text(map, {});
}

std::string ascii(const ResultMap& map) {
  return map_text(map, ascii_options());
}

TEST(MapText, ASmallMatrixHasALineARow) {
  EXPECT_EQ(utf8(small_map()), R"(    C, 4 x 6; a block's tile: 2 x 3
        0      3
     0 │ · · ·│ · ·██│
       │ · · ·│ · ·██│
       ├──────┼──────┤
     2 │ · · ·│ · ·██│
       │ N U U│ U U U│
        · right, █ wrong, N not finite, U never written
)");
}

TEST(MapText, AsciiSaysTheSame) {
  EXPECT_EQ(ascii(small_map()), R"(    C, 4 x 6; a block's tile: 2 x 3
        0      3
     0 | . . .| . .XX|
       | . . .| . .XX|
       +------+------+
     2 | . . .| . .XX|
       | N U U| U U U|
        . right, X wrong, N not finite, U never written
)");
}

TEST(MapText, TwoRowsShareALineAsHalfBlocks) {
  EXPECT_EQ(utf8(tiled(20, 24, 0, 0,
                       [](int row, int column) {
                         if (row < 8) return column == row ? wrong : right;
                         return row == 19 || column > 20 ? wrong : right;
                       })),
            R"(    C, 20 x 24; half a character: 1 element
        0       8       16
     0 │▀▄······················│
       │··▀▄····················│
       │····▀▄··················│
       │······▀▄················│
     8 │·····················███│
       │·····················███│
       │·····················███│
       │·····················███│
    16 │·····················███│
       │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄███│
        · right, █ wrong
)");
}

TEST(MapText, ALargeMatrixShowsHowMuchOfACellIsWrong) {
  EXPECT_EQ(utf8(tiled(64, 64, 16, 16,
                       [](int row, int column) {
                         if (row >= 61) return wrong;
                         if (column < 16) return (row + column) % 4 == 0 ? wrong : right;
                         return column > 50 && column % 2 == 0 ? wrong : right;
                       })),
            R"(    C, 64 x 64; a block's tile: 16 x 16; half a character: 2 x 2 elements
        0        16       32       48
     0 │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       ├────────┼────────┼────────┼────────┤
    16 │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       ├────────┼────────┼────────┼────────┤
    32 │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       ├────────┼────────┼────────┼────────┤
    48 │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │░░░░░░░░│········│········│··▒▒▒▒▒▒│
       │▓▓▓▓▓▓▓▓│▓▓▓▓▓▓▓▓│▓▓▓▓▓▓▓▓│▓▓▓▓▓▓▓▓│
        · right, ░▒▓ partly wrong
)");
}

TEST(MapText, AVectorIsCutIntoLines) {
  ResultMap map = tiled(1, 150, 0, 50, [](int, int column) {
    return column > 145 ? unwritten : column % 50 == 0 ? wrong : right;
  });
  map.output = "result";
  EXPECT_EQ(utf8(map), R"(    result, 150 elements; a block's tile: 50
      0 │█·················································│█·············│
     64 │····································│█···························│
    128 │··················UUUU│
         · right, █ wrong, U never written
)");
  EXPECT_EQ(ascii(map), R"(    result, 150 elements; a block's tile: 50
      0 |X.................................................|X.............|
     64 |....................................|X...........................|
    128 |..................UUUU|
         . right, X wrong, U never written
)");
}

TEST(MapText, ATileThatBeginsWithALineOfAVectorIsMarked) {
  const ResultMap map =
      tiled(1, 1000, 0, 256, [](int, int column) { return column == 512 ? wrong : right; });
  EXPECT_THAT(utf8(map), HasSubstr("\n    512 ├░"));
  EXPECT_THAT(ascii(map), HasSubstr("\n    512 +x"));
  EXPECT_THAT(map_svg(map), HasSubstr("ink-line"));
}

TEST(MapText, ATileBorderInsideACellIsNotDrawn) {
  const ResultMap map =
      tiled(100, 100, 10, 10, [](int row, int) { return row < 10 ? wrong : right; });
  EXPECT_THAT(utf8(map), Not(HasSubstr("tile:")));
  EXPECT_EQ(map.cell_rows, 2);
  EXPECT_THAT(utf8(map), HasSubstr("half a character: 4 x 4 elements"));
}

TEST(MapText, ColoursAddNothing) {
  TextOptions options;
  options.color = true;
  const std::string colored = map_text(small_map(), options);
  EXPECT_THAT(colored, HasSubstr("\x1b[31m"));
  EXPECT_EQ(without_colors(colored), utf8(small_map()));
}

TEST(MapText, AnyExtentFitsAScreen) {
  const auto last = [](int rows, int columns) {
    return tiled(rows, columns, 16, 16, [=](int row, int column) {
      return row == rows - 1 && column == columns - 1 ? unwritten
             : column == columns - 1                  ? wrong
             : row == 0                               ? not_finite
                                                      : right;
    });
  };
  const std::pair<int, int> extents[] = {{1, 1},      {1, 2},      {2, 1},    {16, 16},  {17, 17},
                                         {1, 100000}, {100000, 1}, {3, 9999}, {9999, 3}, {64, 64},
                                         {65, 65},    {640, 48},   {48, 640}, {999, 999}};
  for (const auto& [rows, columns] : extents) {
    for (const bool in_ascii : {false, true}) {
      const std::string text = in_ascii ? ascii(last(rows, columns)) : utf8(last(rows, columns));
      expect_fits_a_screen(text);
      EXPECT_THAT(text, testing::AnyOf(HasSubstr("U"), HasSubstr("u partly"))) << text;
    }
  }
}

TEST(MapText, ALineOfAVectorWithABorderMoreFitsAScreen) {
  const auto state = [](int, int column) { return column % 10 == 0 ? wrong : right; };
  for (int tile = 4; tile < 64; ++tile) expect_fits_a_screen(utf8(tiled(1, 250, 0, tile, state)));
}

TEST(MapText, FourThousandSquaredFitsAScreen) {
  const ResultMap map =
      tiled(4096, 4096, 32, 32, [](int row, int column) { return row > column ? wrong : right; });
  expect_fits_a_screen(utf8(map));
  expect_fits_a_screen(ascii(map));
}

TEST(MapText, AnOlderRecordsCellsAreWrongAltogether) {
  ResultMap map = tiled(128, 128, 0, 0, [](int row, int) { return row == 2 ? wrong : right; });
  map.amounts.clear();
  EXPECT_THAT(utf8(map), HasSubstr("\u2592"));
}

TEST(MapText, AnOutputsNameCannotWriteEscapeSequences) {
  ResultMap map = small_map();
  map.output = "C\x1b[2J";
  EXPECT_THAT(utf8(map), Not(HasSubstr("\x1b")));
}

TEST(ResultMapPicture, IsWorthDrawingWhereElementsDiffer) {
  const auto uniform = [](int, int) { return wrong; };
  EXPECT_FALSE(is_worth_drawing(result_map("C", 1, 1, uniform)));
  EXPECT_FALSE(is_worth_drawing(result_map("C", 200, 200, uniform)));
  EXPECT_TRUE(is_worth_drawing(small_map()));
  EXPECT_TRUE(is_worth_drawing(result_map("C", 128, 128, [](int row, int column) {
    return (row + column) % 2 ? wrong : right;
  }))) << "every cell is the same, but not every element";
}

TEST(MapSvg, DescribesWhatItShows) {
  const std::string svg = map_svg(small_map());
  EXPECT_THAT(svg, HasSubstr("<title>Map of C, 4 x 6</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>What is wrong or not finite or never written lies in rows 0 to "
                             "3 and columns 0 to 5.</desc>"));
  for (const char* look : {"class=\"wrong\"", "class=\"not-finite-line\"", "class=\"unwritten\""})
    EXPECT_THAT(svg, HasSubstr(look));
  for (const char* name : {">right<", ">wrong<", ">not finite<", ">never written<"})
    EXPECT_THAT(svg, HasSubstr(name));
  EXPECT_THAT(svg, Not(HasSubstr("partly")));
}

TEST(MapSvg, OfAVectorCountsElements) {
  const ResultMap map =
      tiled(1, 2000, 0, 0, [](int, int column) { return column == 1000 ? wrong : right; });
  EXPECT_THAT(map_svg(map), HasSubstr("<desc>What is wrong lies in elements 1000 to 1001 of 0 to "
                                      "1999.</desc>"));
  EXPECT_THAT(map_svg(map), HasSubstr(">C, 2,000 elements; a cell: 2 elements<"));
  EXPECT_THAT(map_svg(map), HasSubstr(">partly wrong<"));
}

TEST(MapSvg, HasTheWordsAndNumbersOfTheText) {
  const ResultMap map = tiled(40, 100, 8, 20, [](int row, int column) {
    return column == 99 ? unwritten : row == 39 ? not_finite : column % 2 ? wrong : right;
  });
  const std::string text = utf8(map), svg = map_svg(map);
  EXPECT_THAT(text, HasSubstr("C, 40 x 100; a block's tile: 8 x 20; half a character: 2 x 4"));
  EXPECT_THAT(svg, HasSubstr(">C, 40 x 100; a block&#39;s tile: 8 x 20; a cell: 1 x 2 elements<"));
  for (const char* words : {"partly wrong", "not finite", "partly never written"}) {
    EXPECT_THAT(text, HasSubstr(words));
    EXPECT_THAT(svg, HasSubstr(words));
  }
  for (const int number : {0, 8, 16, 20, 24, 32, 40, 60, 80}) {
    EXPECT_THAT(text, HasSubstr(fmt::format(" {}", number)));
    EXPECT_THAT(svg, HasSubstr(fmt::format(">{}<", number)));
  }
}

TEST(MapSvg, ABorderThatCannotBeDrawnHasNoNumber) {
  const ResultMap map =
      tiled(1024, 1024, 16, 16, [](int row, int column) { return row > column ? wrong : right; });
  EXPECT_THAT(map_svg(map), Not(HasSubstr("ink-line")));
  EXPECT_THAT(map_svg(map), HasSubstr(">256<"));
  EXPECT_THAT(map_svg(map), Not(HasSubstr(">16<")));
}

TEST(MapSvg, RunsOfOneKindAreOneShape) {
  const ResultMap map = tiled(64, 64, 0, 0, [](int row, int) { return row > 9 ? wrong : right; });
  EXPECT_LT(map_svg(map).size(), 4000u);
}

TEST(MapSvg, AnyExtentIsAnSvg) {
  std::vector<std::string> svgs;
  const auto state = [](int row, int column) {
    return static_cast<ElementState>((row + 3 * column) % 4);
  };
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 7}, {7, 1}, {1, 100000}, {1000, 3}}) {
    svgs.push_back(map_svg(tiled(rows, columns, 16, 16, state)));
    expect_no_odd_numbers(svgs.back());
  }
  ResultMap hostile = small_map();
  hostile.output = "<C> & \"\x1b\xff'";
  svgs.push_back(map_svg(hostile));
  ResultMap endless = small_map();
  endless.rows = endless.columns = 2147483647;
  endless.cell_rows = endless.cell_columns = 1 << 29;
  endless.tile_rows = endless.tile_columns = 1;
  endless.cells = {"x...", "....", "....", "...."};
  svgs.push_back(map_svg(endless));
  EXPECT_LT(svgs.back().size(), 5000u);
  EXPECT_THAT(utf8(endless), HasSubstr("2147483647 x 2147483647"));
  expect_svgs(svgs);
}

}  // namespace
}  // namespace tessera
