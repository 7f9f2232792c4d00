#include "grader/experiment/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::HasSubstr;

TEST(Page, TablesStandBetweenTheMarks) {
  const std::string page = "# A\n<!-- tables: begin -->\nold\n<!-- tables: end -->\nend\n";
  const Expected<std::string> text = with_tables(page, "new\n", "README.md");
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "# A\n<!-- tables: begin -->\n\nnew\n\n<!-- tables: end -->\nend\n");
  EXPECT_EQ(*with_tables(*text, "new\n", "README.md"), *text);
}

TEST(Page, WithoutAPlaceIsAnErrorThatSaysHowToMakeOne) {
  for (const char* page : {"# A\n", "<!-- tables: begin -->\n", "<!-- tables: end -->\n",
                           "<!-- tables: end -->\n<!-- tables: begin -->\n"}) {
    const Expected<std::string> text = with_tables(page, "new\n", "README.md");
    ASSERT_FALSE(text) << page;
    EXPECT_THAT(text.error().str(), HasSubstr("README.md"));
    EXPECT_THAT(text.error().message, HasSubstr("<!-- tables: begin -->"));
  }
}

}  // namespace
}  // namespace tessera
