#include "grader/gradebook/code_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "common/device_profile.h"
#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/judge/judge.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TESSERA_SOURCE_DIR;

TEST(CodeKey, BlanksAndCommentsDoNotCount) {
  const std::string key = code_key("int a = 1;\nint b;\n");
  EXPECT_EQ(code_key("// mine\n\n  int  a=1 ;  /* one */\n\n\n\tint b; // two\n"), key);
  EXPECT_EQ(code_key("int a = 1;\r\nint b;\r\n"), key);
}

TEST(CodeKey, WordsAndTheirLinesCount) {
  const std::string key = code_key("int a = 1;\nint b;\n");
  EXPECT_NE(code_key("int a = 2;\nint b;\n"), key);
  EXPECT_NE(code_key("int a = 1; int b;\n"), key);
  EXPECT_NE(code_key("int a\n= 1;\nint b;\n"), key);
  EXPECT_NE(code_key("a + +b"), code_key("a ++b"));
  EXPECT_NE(code_key("#define F (x)\n"), code_key("#define F(x)\n"));
  EXPECT_NE(code_key("\"a b\""), code_key("\"a  b\""));
}

TEST(CodeKey, ASourceThatAsksForItsLineIsLikeNoOther) {
  EXPECT_NE(code_key("int a = __LINE__;\n"), code_key("\nint a = __LINE__;\n"));
  EXPECT_NE(code_key("#define HERE __LINE__\n"), code_key("\n#define HERE __LINE__\n"));
  EXPECT_NE(code_key("assert(x);\n"), code_key("assert(x); \n"));
  EXPECT_NE(code_key("#line 7\nint a;\n"), code_key("#line 7\nint a; \n"));
  EXPECT_NE(code_key("/* never closed\n"), code_key("/* never closed \n"));
}

TEST(Retold, LinesInTextAndFieldsAreThoseOfTheOtherSource) {
  Record record;
  record.items.resize(1);
  Finding finding;
  finding.line = 2;
  finding.column = 5;
  finding.message = "line 2 races with line 3 (line 9 of the PTX)";
  finding.hint = "line x";
  finding.example = {{"first", "thread (0, 0, 0) in line 3"}};
  record.items[0].findings = {finding};
  record.lines.resize(1);
  record.lines[0].line = 3;
  const Record told =
      retold(record, "int a;\nint b;\nint c;\n", "// mine\nint a;\n\n  int  b;\nint c;\n", "x.cu");
  const Finding& other = told.items[0].findings[0];
  EXPECT_EQ(other.line, 4);
  EXPECT_EQ(other.column, 8);
  EXPECT_EQ(other.message, "line 4 races with line 5 (line 9 of the PTX)");
  EXPECT_EQ(other.hint, "line x");
  EXPECT_EQ(other.example[0].second, "thread (0, 0, 0) in line 5");
  EXPECT_EQ(told.lines[0].line, 5);
  EXPECT_EQ(told.path, "x.cu");
  EXPECT_EQ(told.sha256, sha256("// mine\nint a;\n\n  int  b;\nint c;\n"));
  EXPECT_EQ(told.source.size(), 5u);
}

/// The same code as somebody else would lay it out.
std::string laid_out_anew(const std::string& source) {
  std::string text = "// handed in by somebody else\n/* with a long\n   comment */\n\n";
  for (const std::string& line : split_lines(source)) {
    const bool directive = line.starts_with("#");
    const bool continued = line.ends_with("\\");
    text += directive || continued ? line : "  " + line + "  // " + std::to_string(line.size());
    text += "\n";
    if (line.ends_with(";")) text += "\n    // and on\n";
  }
  return text;
}

std::string graded(const Lab& lab, const fs::path& file, const DeviceProfile& device) {
  GradeOptions options;
  options.device = device;
  options.seed = 11;
  options.include_dir = kRoot / "common" / "include";
  options.labs = kRoot / "labs";
  options.datasets = kRoot / "datasets";
  Record record = grade(lab, file, options);
  record.seconds = 0;
  return json_report({record});
}

/// Every wrong kernel of the kit's, as it is and laid out anew: retelling the record of the one
/// must give the record that grading the other gives.
class RetoldLab : public testing::TestWithParam<std::string> {};

TEST_P(RetoldLab, IsWhatGradingTheOtherSourceGives) {
  const auto lab = load_lab(kRoot / "labs" / GetParam(),
                            kRoot / "solutions" / GetParam() / "hidden.yaml", kRoot / "datasets");
  ASSERT_TRUE(lab);
  const auto device = load_device_profile("nvidia-h200", kRoot / "common" / "devices");
  const TemporaryDirectory folder;
  const fs::path other_file = folder.path() / "kernel.cu";
  int kernels = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "solutions" / GetParam() / "wrong")) {
    const std::string source = *read_file(entry.path());
    const std::string other = laid_out_anew(source);
    const bool endless = source.find("expect: step-limit") != source.npos;  // takes seconds
    if (endless || code_key(source) != code_key(other)) continue;
    ++kernels;
    ASSERT_FALSE(write_file(other_file, other));
    const auto record = read_record(graded(*lab, entry.path(), *device));
    ASSERT_TRUE(record) << record.error().str();
    EXPECT_EQ(json_report({retold(*record, source, other, other_file.string())}),
              graded(*lab, other_file, *device))
        << entry.path();
  }
  EXPECT_GT(kernels, 5);
}

std::vector<std::string> all_labs() {
  std::vector<std::string> labs;
  for (const fs::path& lab : find_labs(kRoot / "labs")) labs.push_back(lab.filename().string());
  return labs;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return "lab_" + name;
}

INSTANTIATE_TEST_SUITE_P(All, RetoldLab, testing::ValuesIn(all_labs()), test_name);

}  // namespace
}  // namespace tessera
