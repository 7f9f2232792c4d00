#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "common/text.h"
#include "grader/lab/course_keys.h"
#include "grader/lab/lab.h"
#include "grader/lab/lab_keys.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page() {
  const auto content = read_file(std::string(TESSERA_SOURCE_DIR) + "/grader/lab/README.md");
  return content ? *content : content.error().str();
}

TEST(LabReadme, MentionsEveryKey) {
  for (const KeyList& list : all_key_lists()) {
    for (const std::string& key : list.keys) EXPECT_THAT(page(), HasSubstr("`" + key + "`"));
  }
}

TEST(LabReadme, MentionsEveryKeyOfACourse) {
  const std::string content = page();
  const std::size_t section = content.find("## course.yaml");
  ASSERT_NE(section, std::string::npos);
  for (const KeyList& list : course_key_lists()) {
    for (const std::string& key : list.keys) {
      EXPECT_THAT(content.substr(section), HasSubstr("| `" + key + "` |"));
    }
  }
}

TEST(LabReadme, MentionsEveryMetric) {
  for (const Metric metric : metrics_asked_by(kTechnique | kThreshold))
    EXPECT_THAT(page(), HasSubstr("`" + std::string(to_string(metric)) + "`"));
}

TEST(LabReadme, ExplainsEveryKindOfFinding) {
  for (const FindingKind kind : kAllFindingKinds) {
    EXPECT_THAT(page(), HasSubstr("| `" + std::string(to_string(kind)) + "` | "));
  }
}

TEST(LabReadme, MentionsEveryOperation) {
  for (const std::string& name : operation_names()) {
    EXPECT_THAT(page(), HasSubstr("`" + name + "`"));
  }
}

std::string text_of(const std::filesystem::path& file) {
  const auto content = read_file(file);
  return content ? *content : content.error().str();
}

TEST(LabPages, HaveTheNamesThatTheGraderPrintsAsTheGlossaryHas) {
  const std::string glossary = text_of(std::string(TESSERA_SOURCE_DIR) + "/labs/GLOSSARY.md");
  const std::filesystem::path labs = std::string(TESSERA_SOURCE_DIR) + "/labs";
  for (const std::filesystem::path& lab : find_labs(labs)) {
    const std::string page = text_of(lab / "README.md");
    const std::string yaml = text_of(lab / "lab.yaml");
    static const std::regex kMetric(R"(metric: (\w+))");
    for (std::sregex_iterator at(yaml.begin(), yaml.end(), kMetric), end; at != end; ++at) {
      const std::string name = "`" + (*at)[1].str() + "`";
      EXPECT_THAT(page, HasSubstr("(" + name + ")")) << lab;
      EXPECT_THAT(glossary, HasSubstr(name)) << lab;
    }
  }
}

TEST(LabPages, ExplainFindingsAndNameNoSolutions) {
  const std::filesystem::path labs = std::string(TESSERA_SOURCE_DIR) + "/labs";
  for (const std::filesystem::path& lab : find_labs(labs)) {
    const std::string page = text_of(lab / "README.md");
    EXPECT_THAT(page, HasSubstr("\n## What a finding means\n")) << lab;
    EXPECT_THAT(page, HasSubstr("(../GLOSSARY.md)")) << lab;
    EXPECT_THAT(page, Not(HasSubstr("solutions/"))) << lab << ": a handout has none";
  }
}

TEST(Glossary, HasEveryKindOfFinding) {
  const std::string page = text_of(std::string(TESSERA_SOURCE_DIR) + "/labs/GLOSSARY.md");
  for (const FindingKind kind : kAllFindingKinds)
    EXPECT_THAT(page, HasSubstr("| `" + std::string(to_string(kind)) + "` | "));
}

}  // namespace
}  // namespace tessera
