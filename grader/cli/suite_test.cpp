// Runs the small kernels in grader/simulator/suite: right ones, which must be clean, and wrong
// ones, which must get the kind of finding that they name. A kernel's first lines say how it is
// launched and what is expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "common/text.h"
#include "grader/cli/check_kernel.h"
#include "grader/compile/compiler.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSteps = 1'000'000;

/// "// check: --kernel F --grid 2 ...", "// expect: race -- why", "// line: 9, 12", and
/// "// only with: nvrtc" if another compiler's code has no fault, or a false alarm.
struct Header {
  CheckRequest request;
  std::set<std::string> expected;  // kinds of error; "warning"
  std::set<int> lines;             // one of them is the place
  std::string compiler;            // "" for every one
};

std::vector<std::string> words_of(std::string text, char separator) {
  std::ranges::replace(text, separator, ' ');
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Dim3 dim3_of(const std::string& text) {
  std::uint32_t values[3] = {1, 1, 1};
  const std::vector<std::string> words = words_of(text, ',');
  for (std::size_t i = 0; i < words.size() && i < 3; ++i)
    values[i] = static_cast<std::uint32_t>(std::stoul(words[i]));
  return {values[0], values[1], values[2]};
}

void read_launch(const std::string& options, CheckRequest& request) {
  const std::vector<std::string> words = words_of(options, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--kernel") request.kernel = value;
    if (words[i] == "--grid") request.shape.grid = dim3_of(value);
    if (words[i] == "--block") request.shape.block = dim3_of(value);
    if (words[i] == "--shared") request.shape.shared_bytes = std::stoul(value);
    if (words[i] == "--arg") request.arguments.push_back(value);
  }
}

Header header_of(const fs::path& file) {
  Header header;
  const auto source = read_file(file);
  EXPECT_TRUE(source) << file;
  std::string launch, topic;
  for (const std::string& line : split_lines(*source)) {
    if (!line.starts_with("//")) break;
    const std::size_t colon = line.find(": ");
    const bool continued = line.starts_with("//  ");
    if (!continued) topic = line.substr(0, colon);
    const std::string value = continued ? line.substr(2) : line.substr(colon + 1);
    if (topic == "// check") launch += value;
    if (topic == "// only with") header.compiler = words_of(value, ' ').front();
    if (topic == "// expect" && !continued) {
      for (const std::string& word : words_of(value.substr(0, value.find("--")), ','))
        header.expected.insert(word);
    }
    if (topic == "// line") {
      for (const std::string& word : words_of(value, ',')) header.lines.insert(std::stoi(word));
    }
  }
  read_launch(launch, header.request);
  header.request.file = file.string();
  return header;
}

using SuiteCase = std::tuple<fs::path, std::string>;

/// Each kernel with each compiler, or with the one that it names. The many kernels with
/// asynchronous copies and matrix instructions take turns: their code is that of the same few
/// functions with both.
std::vector<SuiteCase> cases_in(const std::string& folder) {
  std::vector<SuiteCase> cases;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "grader" /
                                                  "simulator" / "suite" / folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> compilers;
  for (const CompilerInfo& compiler : available_compilers()) {
    if (compiler.available)
      compilers.push_back(compiler.kind == CompilerKind::nvrtc ? "nvrtc" : "clang");
  }
  std::size_t turn = 0;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const std::string named = header_of(file).compiler;
    if (std::ranges::count(compilers, named) != 0) {
      cases.emplace_back(file, named);
    } else if (name.starts_with("async_") || name.starts_with("tensor_")) {
      cases.emplace_back(file, compilers[turn++ % compilers.size()]);
    } else {
      for (const std::string& compiler : compilers) cases.emplace_back(file, compiler);
    }
  }
  return cases;
}

std::string name_of(const testing::TestParamInfo<SuiteCase>& info) {
  return std::get<0>(info.param).stem().string() + "_" + std::get<1>(info.param);
}

std::string listed(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(to_string(finding.severity)) + ": " + std::string(to_string(finding.kind)) +
            " at line " + std::to_string(finding.line) + ": " + finding.message + "\n";
  }
  return text;
}

class Suite : public testing::TestWithParam<SuiteCase> {
 protected:
  CheckReport check(Header& header) const {
    auto locations = find_locations("");
    locations->interpreter = TESSERA_INTERPRETER;
    locations->compiler.program = TESSERA_COMPILER;
    header.request.compiler = *compiler_from(std::get<1>(GetParam()));
    header.request.device = *load_device_profile("nvidia-h200", locations->kit.devices());
    header.request.seed = 1;
    header.request.step_limit = kSteps;
    auto checked = check_kernel(header.request, *locations);
    if (auto* failure = std::get_if<CheckFailure>(&checked)) {
      ADD_FAILURE() << failure->error.str();
      return {};
    }
    return std::get<CheckOutcome>(std::move(checked)).report;
  }
};

class CorrectKernels : public Suite {};
class BrokenKernels : public Suite {};

TEST_P(CorrectKernels, RaiseNoAlarm) {
  Header header = header_of(std::get<0>(GetParam()));
  if (!header.compiler.empty() && header.compiler != std::get<1>(GetParam()))
    GTEST_SKIP() << "known: the code of another compiler than " << header.compiler
                 << " gets a false alarm";
  const CheckReport report = check(header);
  const bool may_warn = header.expected.contains("warning");
  bool warned = false;
  for (const Finding& finding : report.findings) {
    const bool allowed =
        finding.severity == Severity::info || (finding.severity == Severity::warning && may_warn);
    warned |= finding.severity == Severity::warning;
    EXPECT_TRUE(allowed) << listed(report.findings);
  }
  EXPECT_EQ(warned, may_warn) << listed(report.findings);
}

TEST_P(BrokenKernels, GetTheKindAndThePlaceOfTheirFault) {
  Header header = header_of(std::get<0>(GetParam()));
  if (!header.compiler.empty() && header.compiler != std::get<1>(GetParam()))
    GTEST_SKIP() << "the fault is in the code of " << header.compiler << " alone";
  const CheckReport report = check(header);
  std::set<std::string> kinds;
  bool placed = header.lines.empty();
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::info) continue;
    kinds.insert(finding.severity == Severity::warning ? "warning"
                                                       : std::string(to_string(finding.kind)));
    placed |= header.lines.contains(finding.line);
  }
  EXPECT_EQ(kinds, header.expected) << listed(report.findings);
  EXPECT_TRUE(placed) << listed(report.findings);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CorrectKernels, testing::ValuesIn(cases_in("correct")), name_of);
INSTANTIATE_TEST_SUITE_P(Kernels, BrokenKernels, testing::ValuesIn(cases_in("broken")), name_of);

}  // namespace
}  // namespace tessera
