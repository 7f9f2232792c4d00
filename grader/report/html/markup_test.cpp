#include "grader/report/html/markup.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Markup, TextIsEscapedByItself) {
  EXPECT_EQ(element("p", {}, "a < b && c > \"d\" 'e'").str(),
            "<p>a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39;</p>");
}

TEST(Markup, ElementsNest) {
  const Html link = element("a", {{"href", "#x"}}, "x");
  EXPECT_EQ(element("p", {{"class", "c"}}, "see ", link, std::string(".")).str(),
            "<p class=\"c\">see <a href=\"#x\">x</a>.</p>");
}

TEST(Markup, TextCannotBreakOutOfAnAttribute) {
  EXPECT_EQ(element("p", {{"title", "\"><script>\n\xe2\x80\xae"}}).str(),
            "<p title=\"&quot;&gt;&lt;script&gt;\nU+202E\"></p>");
}

TEST(Markup, WhatCannotBeSeenIsShownAsItsCode) {
  const auto unseen = [](const std::string& name) {
    return "<b class=\"unseen\">" + name + "</b>";
  };
  EXPECT_EQ(Html("a\xe2\x80\xae"
                 "b")
                .str(),
            "a" + unseen("U+202E") + "b");
  EXPECT_EQ(Html("\x1b[31m\x7f\r").str(),
            unseen("U+001B") + "[31m" + unseen("U+007F") + unseen("U+000D"));
  EXPECT_EQ(Html(std::string_view("\0", 1)).str(), unseen("U+0000"));
  EXPECT_EQ(Html("\xff\xc3(").str(), unseen("byte FF") + unseen("byte C3") + "(");
  EXPECT_EQ(Html("\xe2\x80\x8b\xef\xbb\xbf\xef\xbf\xbe\xf3\xa0\x81\x81").str(),
            unseen("U+200B") + unseen("U+FEFF") + unseen("U+FFFE") + unseen("U+E0041"));
  EXPECT_EQ(Html("\xe3\x85\xa4").str(), unseen("U+3164"));  // a letter, and blank
}

TEST(Markup, TabsLineFeedsAndLettersOfTheWorldStay) {
  EXPECT_EQ(Html("\ta\n행렬 é 😀").str(), "\ta\n행렬 é 😀");
}

TEST(Markup, ATitleHoldsNoElements) {
  EXPECT_EQ(attribute_text("</title>\x07").str(), "&lt;/title&gt;U+0007");
}

}  // namespace
}  // namespace tessera
