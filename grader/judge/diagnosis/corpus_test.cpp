// Kernels that are wrong on purpose: corpus/LAB/*.cu, graded on corpus/LAB/lab.yaml, and those of
// solutions/*/wrong/ that have a diagnosis. The first line of each says which diagnosis it must
// get, and no other (judge/expectation.h); corpus/README.md has the wording.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/text.h"
#include "grader/judge/diagnosis/words.h"
#include "grader/judge/expectation.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = kRoot / "grader/judge/diagnosis/corpus";

struct WrongKernel {
  fs::path path;
  fs::path lab;        // the folder of lab.yaml
  fs::path hidden;     // hidden.yaml, or ""
  std::string called;  // "product/minus", "03-tiled/sum-reset"
};

void PrintTo(const WrongKernel& kernel, std::ostream* out) {
  *out << kernel.path;
}

std::string text_of(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) throw std::runtime_error(text.error().str());
  return *text;
}

std::vector<WrongKernel> wrong_kernels() {
  std::vector<WrongKernel> kernels;
  for (const auto& entry : fs::recursive_directory_iterator(kCorpus)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cu" || path.filename() == "reference.cu") continue;
    const fs::path lab = path.parent_path();
    kernels.push_back({path, lab, "", (lab.filename() / path.stem()).string()});
  }
  for (const fs::path& lab : find_labs(kRoot / "labs")) {
    const fs::path solution = kRoot / "solutions" / lab.filename();
    for (const auto& entry : fs::directory_iterator(solution / "wrong")) {
      const fs::path& path = entry.path();
      if (text_of(path).find(", diagnosis=") == std::string::npos) continue;
      kernels.push_back(
          {path, lab, solution / "hidden.yaml", (lab.filename() / path.stem()).string()});
    }
  }
  std::ranges::sort(kernels, {}, &WrongKernel::called);
  return kernels;
}

Record graded(const WrongKernel& kernel) {
  const auto lab = load_lab(kernel.lab, kernel.hidden, kRoot / "datasets");
  if (!lab) throw std::runtime_error(lab.error().str());
  return grade(*lab, kernel.path, kit_options(20261121));
}

std::string messages(const Record& record) {
  std::string text;
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings)
      text += item.id + " " + std::string(to_string(finding.kind)) + ": " + finding.message + "\n";
  }
  return text;
}

/// The kernel's row of the table: its first diagnosis, without the example's values.
std::string row_of(const WrongKernel& kernel, const Record& record) {
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (diagnosis_word(finding).empty()) continue;
      const std::string example = ". " + example_value(finding, "element") + " is ";
      return fmt::format("| {} | {} | {}; *{}* |", kernel.called, diagnosis_word(finding),
                         finding.message.str().substr(0, finding.message.str().find(example)),
                         finding.hint.str());
    }
  }
  return fmt::format("| {} | none | |", kernel.called);
}

/// The kernel's row in corpus/README.md, or "".
std::string row_in_table(const WrongKernel& kernel) {
  for (const std::string& line : split_lines(text_of(kCorpus / "README.md"))) {
    if (line.starts_with("| " + kernel.called + " |")) return line;
  }
  return "";
}

Expectation expectation_of(const WrongKernel& kernel) {
  const auto expectation = read_expectation(text_of(kernel.path), kernel.path.string());
  if (!expectation) throw std::runtime_error(expectation.error().str());
  return *expectation;
}

class Corpus : public testing::TestWithParam<WrongKernel> {};

TEST_P(Corpus, GetsTheDiagnosisThatItNames) {
  const Record record = graded(GetParam());
  EXPECT_THAT(missing_words(expectation_of(GetParam()), record), testing::IsEmpty())
      << messages(record);
  EXPECT_EQ(row_in_table(GetParam()), row_of(GetParam(), record)) << "in corpus/README.md";
}

std::string name_of(const testing::TestParamInfo<WrongKernel>& info) {
  std::string name = info.param.called;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(wrong_kernels()), name_of);

TEST(DiagnosisWords, AreSorted) {
  EXPECT_TRUE(std::ranges::is_sorted(diagnosis_words(), {}, &DiagnosisWord::word));
}

TEST(DiagnosisWords, EachIsShownByAKernel) {
  std::set<std::string> shown;
  for (const WrongKernel& kernel : wrong_kernels()) {
    for (const std::string& word : expectation_of(kernel).words) shown.insert(word);
  }
  for (const DiagnosisWord& known : diagnosis_words())
    EXPECT_TRUE(shown.contains("diagnosis=" + std::string(known.word))) << known.word;
}

}  // namespace
}  // namespace tessera
