// The kit's own kernels: every reference wins everything, every skeleton wins nothing, every wrong
// kernel is caught for the reason that its first line names (expectation.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "common/text.h"
#include "grader/judge/expectation.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The compilers on this machine, by their words for --compiler.
const std::vector<std::string>& compilers() {
  // Asking starts programs, so it is done once.
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words;
    for (const CompilerInfo& info : available_compilers()) {
      if (info.available) words.push_back(info.kind == CompilerKind::nvrtc ? "nvrtc" : "clang");
    }
    return words;
  }();
  return kWords;
}

struct Submission {
  std::string lab;
  fs::path kernel;
  std::string compiler;

  std::string test_name() const {
    std::string name = lab + "_" + kernel.stem().string() + "_" + compiler;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
  }
};

void PrintTo(const Submission& submission, std::ostream* out) {
  *out << submission.kernel << " with " << submission.compiler;
}

/// Kernels under root/NN-name/`below`, for each compiler.
std::vector<Submission> submissions(const fs::path& root, const std::string& below) {
  std::vector<Submission> result;
  for (const fs::path& lab : find_labs(kRoot / "labs")) {
    const fs::path place = root / lab.filename() / below;
    std::vector<fs::path> kernels;
    if (fs::is_directory(place)) {
      for (const auto& entry : fs::directory_iterator(place)) {
        if (entry.path().extension() == ".cu") kernels.push_back(entry.path());
      }
    } else {
      kernels.push_back(place);
    }
    std::sort(kernels.begin(), kernels.end());
    for (const fs::path& kernel : kernels) {
      for (const std::string& compiler : compilers()) {
        result.push_back({lab.filename().string(), kernel, compiler});
      }
    }
  }
  return result;
}

class Labs : public testing::TestWithParam<Submission> {
 protected:
  static Record graded() { return graded_in(kit_lab(GetParam().lab)); }

  static Record graded_in(const Lab& lab) {
    const Submission& submission = GetParam();
    GradeOptions options = kit_options(20261121);
    options.compiler.kind = *compiler_from(submission.compiler);
    return grade(lab, submission.kernel, options);
  }
};

/// A warning about the kit's own kernels would show up for every student.
void expect_no_warnings(const Record& record) {
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      EXPECT_NE(finding.kind, FindingKind::compiler_warning)
          << "line " << finding.line << ": " << finding.message;
    }
  }
}

class References : public Labs {};

TEST_P(References, WinEveryPointThatCanBeMeasured) {
  const Record record = graded();
  EXPECT_GT(record.max_score, 0);
  EXPECT_DOUBLE_EQ(record.score, record.max_score - record.deferred);
  for (const Item& item : record.items) {
    EXPECT_TRUE(item.status == Status::pass || item.status == Status::deferred)
        << item.id << ": " << item.message;
    for (const Finding& finding : item.findings) {
      ADD_FAILURE() << item.id << ": " << to_string(finding.kind) << " line " << finding.line
                    << ": " << finding.message;
    }
  }
}

class Skeletons : public Labs {};

TEST_P(Skeletons, CompileAndWinNothing) {
  const Record record = graded();
  EXPECT_DOUBLE_EQ(record.score, 0);
  expect_no_warnings(record);
  for (const Item& item : record.items) {
    EXPECT_NE(item.status, Status::error) << item.id << ": " << item.message;
    EXPECT_NE(item.status, Status::infra) << item.id << ": " << item.message;
  }
}

class WrongKernels : public Labs {};

TEST_P(WrongKernels, AreCaughtForTheReasonTheyName) {
  const auto source = read_file(GetParam().kernel);
  ASSERT_TRUE(source) << source.error().str();
  const auto expectation = read_expectation(*source, GetParam().kernel.string());
  ASSERT_TRUE(expectation) << expectation.error().str();
  // Most are caught in small cases as in all.
  Record record = graded_in(small_kit_lab(GetParam().lab));
  if (!missing_words(*expectation, record).empty()) record = graded();
  EXPECT_THAT(missing_words(*expectation, record), testing::IsEmpty());
  expect_no_warnings(record);
}

/// Right kernels, besides the reference, that pass sums on in other ways, such as cooperative
/// groups.
std::vector<Submission> other_reductions() {
  std::vector<Submission> all = submissions(kRoot / "solutions", "right");
  std::erase_if(all, [](const Submission& each) { return each.lab != "08-reduction"; });
  return all;
}

/// The wrong kernels, each with one compiler in turn: there are nearly 150 of them.
std::vector<Submission> wrong_kernels_in_turn() {
  std::vector<Submission> some;
  const std::vector<Submission> all = submissions(kRoot / "solutions", "wrong");
  const std::size_t turns = compilers().size();
  for (std::size_t i = 0; i < all.size() / turns; ++i) some.push_back(all[i * turns + i % turns]);
  return some;
}

std::string name_of(const testing::TestParamInfo<Submission>& info) {
  return info.param.test_name();
}

INSTANTIATE_TEST_SUITE_P(Kit, References,
                         testing::ValuesIn(submissions(kRoot / "solutions", "kernel.cu")), name_of);
INSTANTIATE_TEST_SUITE_P(OtherReductions, References, testing::ValuesIn(other_reductions()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Kit, Skeletons,
                         testing::ValuesIn(submissions(kRoot / "labs", "kernel.cu")), name_of);
INSTANTIATE_TEST_SUITE_P(Kit, WrongKernels, testing::ValuesIn(wrong_kernels_in_turn()), name_of);

}  // namespace
}  // namespace tessera
