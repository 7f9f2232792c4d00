#include "grader/cli/format_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/lab/test_folder.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string mistake(const std::vector<std::string>& words) {
  const auto output = FormatOutput::parse(words);
  return output ? "none" : output.error().str();
}

FormatOutput output_of(const std::vector<std::string>& words) {
  const auto output = FormatOutput::parse(words);
  if (!output) throw std::runtime_error(output.error().str());
  return *output;
}

TEST(FormatOutput, IsTextIfNothingElseIsForStandardOutput) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"text"}, {"junit=r.xml"}, {"junit=r.xml", "text"}}) {
    EXPECT_EQ(output_of(words).printed(), "text");
    EXPECT_TRUE(output_of(words).prints_text());
  }
}

TEST(FormatOutput, ADocumentHasStandardOutputToItselfALineFollowsTheText) {
  EXPECT_FALSE(output_of({"junit"}).prints_text());
  EXPECT_FALSE(output_of({"gradescope"}).prints_text());
  EXPECT_FALSE(output_of({"html"}).prints_text());
  EXPECT_TRUE(output_of({"github"}).prints_text());
  EXPECT_TRUE(output_of({"autolab"}).prints_text());
}

TEST(FormatOutput, NamesMistakes) {
  EXPECT_THAT(mistake({"junitt"}), HasSubstr("--format junitt: no such format (did you mean "
                                             "'junit'?); expected one of text, html, junit, "));
  EXPECT_THAT(mistake({"xml=r.xml"}), HasSubstr("--format xml=r.xml: no such format"));
  EXPECT_THAT(mistake({""}), HasSubstr("no such format"));
  EXPECT_THAT(mistake({"junit="}), HasSubstr("--format junit=: expected the name of a file"));
  EXPECT_THAT(mistake({"github", "junit"}),
              HasSubstr("standard output is for --format github; send one of them to a file: "
                        "--format junit=FILE"));
  EXPECT_THAT(mistake({"junit=r", "gradescope=./r"}),
              HasSubstr("--format gradescope=./r: another format is written to this file"));
}

/// What check() says about a file for JUnit XML.
std::string refusal(const std::filesystem::path& file) {
  const auto error = output_of({"junit=" + file.string()}).check();
  return error ? error->str() : "none";
}

TEST(FormatOutput, AFileThatCannotBeWrittenIsFoundBeforeAnyWork) {
  const TestFolder folder;
  const std::filesystem::path missing = folder.path() / "missing";
  EXPECT_EQ(refusal(missing / "r.xml"),
            (missing / "r.xml").string() +
                ": cannot be written: No such file or directory; create the directory '" +
                missing.string() + "' first");
  EXPECT_THAT(refusal(folder.path()), HasSubstr("is a directory"));
  EXPECT_EQ(refusal(folder.path() / "r.xml"), "none");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "looking leaves nothing behind";
  EXPECT_FALSE(output_of({"junit"}).check());
}

/// What a file of this format holds while grading goes on.
std::string rewritten(const std::string& format) {
  const TestFolder folder;
  const std::string file = folder.path() / "r";
  output_of({format + "=" + file}).rewrite_files({won_record(), failed_record()}, {});
  const auto text = read_file(file);
  return text ? *text : "";
}

TEST(FormatOutput, EveryFormatCanBeAFile) {
  EXPECT_THAT(rewritten("text"), HasSubstr("\n2 labs  100.0 / 140.0 points"));
  EXPECT_THAT(rewritten("html"), testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(rewritten("junit"), HasSubstr("<testsuites name=\"tessera\" tests=\"10\""));
  EXPECT_THAT(rewritten("github"), HasSubstr("\"totalPoints\":100"));
  EXPECT_THAT(rewritten("autolab"), HasSubstr("\"scoreboard\":[100.0,70.0,30.0]"));
  EXPECT_THAT(rewritten("gradescope"), HasSubstr("\"The grader was stopped before its end."));
}

TEST(FormatOutput, ADeviceIsWrittenOnlyAtTheEnd) {
  const FormatOutput output = output_of({"junit=/dev/full"});
  EXPECT_FALSE(output.check());
  output.rewrite_files({won_record()}, {});
  testing::internal::CaptureStderr();
  EXPECT_FALSE(output.finish({won_record()}, true, {}));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tessera: /dev/full: cannot be written: No space left on device\n");
}

TEST(FormatOutput, KnowsItsFilesHoweverTheyAreSpelled) {
  const FormatOutput output = output_of({"junit=out/r.xml"});
  EXPECT_TRUE(output.writes_to("out/r.xml"));
  EXPECT_TRUE(output.writes_to("./out/../out/r.xml"));
  EXPECT_FALSE(output.writes_to("r.xml"));
}

TEST(FormatOutput, TheTextOfSeveralLabsEndsWithWhatTheCourseSays) {
  Presentation presentation;
  presentation.course.title = "GPU programming";
  EXPECT_EQ(closing_text({won_record()}, presentation), "");
  EXPECT_THAT(closing_text({won_record(), failed_record()}, presentation),
              testing::AllOf(testing::StartsWith("\n2 labs  100.0 / 140.0 points"),
                             testing::EndsWith("\nGPU programming\n")));
}

TEST(FormatOutput, AFinishedGradingIsNotCalledStopped) {
  const TestFolder folder;
  const std::string file = folder.path() / "r";
  EXPECT_TRUE(output_of({"gradescope=" + file}).finish({won_record()}, true, {}));
  EXPECT_EQ(read_file(file)->find("stopped before"), std::string::npos);
}

}  // namespace
}  // namespace tessera
