#include "common/yaml_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/temporary_directory.h"

namespace tessera {
namespace {

using testing::HasSubstr;

YamlMapping mapping_of(const std::string& yaml) {
  return YamlMapping("file.yaml", YAML::Load(yaml), "thing", {"name", "count", "list"});
}

TEST(YamlMapping, ReadsWhatIsThereAndNothingElse) {
  YamlMapping mapping = mapping_of("{name: box, count: 3, list: [1, 2]}");
  EXPECT_EQ(mapping.text("name"), "box");
  EXPECT_EQ(mapping.whole("count", 0, 9), 3);
  EXPECT_EQ(mapping.number("count", 0, 9), 3.0);
  EXPECT_EQ(mapping.wholes("list", 2, 0, 9), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(mapping.text("other"), std::nullopt);
  EXPECT_FALSE(mapping.error());
}

TEST(YamlMapping, KeepsTheFirstMistake) {
  YamlMapping mapping = mapping_of("name: box\ncount: 10\n");
  EXPECT_EQ(mapping.whole("count", 0, 9), std::nullopt);
  EXPECT_EQ(mapping.text("name"), std::nullopt) << "nothing is read after a mistake";
  mapping.require("list");
  ASSERT_TRUE(mapping.error());
  EXPECT_EQ(mapping.error()->str(),
            "file.yaml:2:8: 'count' is '10'; expected a whole number from 0 to 9");
}

TEST(YamlMapping, AKeyMustBeAWord) {
  EXPECT_THAT(mapping_of("[a, b]: 1").error()->message, HasSubstr("a key is a word, not a list"));
}

TEST(YamlMapping, AnEmptyTextIsAMistake) {
  YamlMapping mapping = mapping_of("name: ''");
  EXPECT_EQ(mapping.text("name"), std::nullopt);
  EXPECT_THAT(mapping.error()->message, HasSubstr("'name' is empty"));
}

TEST(YamlMapping, AKeyWithoutAValueIsAMistake) {
  YamlMapping mapping = mapping_of("name:\n");
  EXPECT_EQ(mapping.text("name"), std::nullopt);
  EXPECT_THAT(mapping.error()->message, HasSubstr("'name' is nothing; expected a text"));
}

TEST(ReadYaml, NamesTheLineOfASyntaxError) {
  const TemporaryDirectory directory;
  const auto document = read_yaml(directory.write("bad.yaml", "a: 1\nb: [1\nc: 2\n"));
  ASSERT_FALSE(document);
  EXPECT_GE(document.error().line, 2);
  EXPECT_THAT(document.error().message, HasSubstr("is not valid YAML"));
}

TEST(ReadYaml, NamesATab) {
  const TemporaryDirectory directory;
  const auto document = read_yaml(directory.write("tab.yaml", "a:\n  b: 1\n\tc: 2\n"));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().str(), HasSubstr("tab.yaml:3:"));
  EXPECT_THAT(document.error().message, HasSubstr("is indented by a tab; YAML wants spaces"));
}

TEST(ReadYaml, SurvivesDeepNesting) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(read_yaml(directory.write("deep.yaml", std::string(100000, '['))));
}

TEST(ReadYaml, SaysThatAFileIsEmpty) {
  const TemporaryDirectory directory;
  const auto document = read_yaml(directory.write("empty.yaml", "# nothing\n"));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().message, HasSubstr("is empty"));
}

}  // namespace
}  // namespace tessera
