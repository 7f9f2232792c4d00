#include "grader/report/pictures/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/pictures/testing.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Svg, IsOneElementWithTitleAndDescription) {
  Svg svg("times", 100, 50, "A title", "What it shows");
  svg.rect(0, 0, 10.5, 20, Paint::wrong);
  svg.text(5, 12, "label", Anchor::middle, Paint::faint, 10);
  const std::string text = svg.str();
  EXPECT_THAT(text, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture "
                                        "times\" role=\"img\" viewBox=\"0 0 100 50\""));
  EXPECT_THAT(text, HasSubstr(">\n<title>A title</title>\n<desc>What it shows</desc>\n"));
  EXPECT_THAT(text,
              HasSubstr("<rect x=\"0\" y=\"0\" width=\"10.5\" height=\"20\" class=\"wrong\""));
  EXPECT_THAT(text, HasSubstr("text-anchor=\"middle\" font-size=\"10\">label</text>"));
  expect_svgs({text, text});
}

TEST(Svg, EveryTextIsEscaped) {
  Svg svg("x", 1, 1, "</title><script>", "a & \"b\"");
  svg.text(0, 0, "<img onerror='x'>\x01\xff\u202e");
  EXPECT_THAT(svg.str(), Not(HasSubstr("<script>")));
  EXPECT_THAT(svg.str(), Not(HasSubstr("<img")));
  expect_svgs({svg.str()});
}

TEST(Svg, NothingDrawnIsNoShape) {
  Svg svg("x", 1, 1, "title", "description");
  svg.fill("", Paint::used);
  svg.stroke("", Paint::ink);
  EXPECT_THAT(svg.str(), Not(HasSubstr("<path")));
}

TEST(SvgCoordinate, IsShort) {
  EXPECT_EQ(coordinate(3), "3");
  EXPECT_EQ(coordinate(3.14159), "3.14");
  EXPECT_EQ(coordinate(2.5), "2.5");
  EXPECT_EQ(coordinate(-0.001), "0");
}

}  // namespace
}  // namespace tessera
