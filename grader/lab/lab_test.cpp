#include "grader/lab/lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kLab = R"(title: Tiled multiplication
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 50
  cases:
    - {m: 16, n: 8, k: 4, data: identity}
    - {m: 64, n: 48, k: 32, data: {A: integers, B: uniform}, padding: 8}
checks:
  points: 10
  forbid: [out-of-bounds, race]
technique:
  - {metric: global_load_excess_sectors, naive: 32, good: 4, at_most: 4.5, points: 5}
performance:
  shape: {m: 2048, n: 2048, k: 2048}
  thresholds:
    - {metric: speedup, over: 01-naive, zero: 1.0, full: 1.2, points: 20}
    - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0}}, points: 10}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class LoadLab : public testing::Test {
 protected:
  LoadLab() {
    folder_.write("labs/01-naive/lab.yaml", "operation: matmul\n");
    fs::create_directories(datasets());
  }

  fs::path datasets() const { return folder_.path() / "datasets"; }

  Expected<Lab> load(const std::string& yaml, const std::string& hidden = "") {
    folder_.write("labs/03-tiled/lab.yaml", yaml);
    const fs::path hidden_file = folder_.path() / "hidden.yaml";
    if (!hidden.empty()) folder_.write("hidden.yaml", hidden);
    return load_lab(folder_.path() / "labs/03-tiled", hidden_file, datasets(),
                    {"NVIDIA H200", "Tesla T4"});
  }

  /// The error of kLab after a replacement, without the folder.
  std::string error_of(const std::string& from, const std::string& to) {
    return error_in(replaced(kLab, from, to));
  }

  std::string error_in(const std::string& yaml, const std::string& hidden = "") {
    const Expected<Lab> lab = load(yaml, hidden);
    if (lab) return "no error";
    return replaced(lab.error().str(), folder_.path().string() + "/", "");
  }

  TestFolder folder_;
};

TEST_F(LoadLab, ReadsEverySection) {
  const Expected<Lab> lab = load(kLab);
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->id, "03-tiled");
  EXPECT_EQ(lab->title, "Tiled multiplication");
  EXPECT_EQ(lab->operation->name(), "matmul");
  EXPECT_EQ(lab->element, Element::float32);
  EXPECT_THAT(lab->arguments, ElementsAre("A", "B", "C"));
  ASSERT_EQ(lab->cases.size(), 2u);
  EXPECT_EQ(lab->case_title(lab->cases[0]), "m=16 n=8 k=4 identity");
  EXPECT_EQ(lab->case_title(lab->cases[1]), "m=64 n=48 k=32 A=integers B=uniform padding=8");
  EXPECT_EQ(lab->cases[1].data.at("A").generator, "integers");
  EXPECT_THAT(lab->forbid, ElementsAre(FindingKind::out_of_bounds, FindingKind::race));
  EXPECT_EQ(lab->technique.at(0).at_most, 4.5);
  EXPECT_EQ(lab->technique.at(0).naive, 32);
  EXPECT_EQ(lab->performance_shape.at("k"), 2048);
  EXPECT_EQ(lab->thresholds.at(0).over, "01-naive");
  EXPECT_EQ(lab->thresholds.at(0).range->full, 1.2);
  EXPECT_EQ(lab->thresholds.at(1).devices.at("NVIDIA H200").zero, 6.0);
  EXPECT_EQ(lab->max_points(), 95);
}

TEST_F(LoadLab, HiddenCasesComeLast) {
  const Expected<Lab> lab = load(kLab, "cases:\n  - {m: 1, n: 2, k: 3}\n");
  ASSERT_TRUE(lab) << lab.error().str();
  ASSERT_EQ(lab->cases.size(), 3u);
  EXPECT_FALSE(lab->cases[1].hidden);
  EXPECT_TRUE(lab->cases[2].hidden);
  EXPECT_EQ(lab->cases[2].data_name, "uniform");
}

TEST_F(LoadLab, AFolderMayEndInASlash) {
  folder_.write("labs/03-tiled/lab.yaml", kLab);
  const Expected<Lab> lab = load_lab(folder_.path() / "labs/03-tiled/", "", datasets());
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->id, "03-tiled");
}

TEST_F(LoadLab, ParametersBelongToEveryCase) {
  std::string yaml = replaced(kLab, "arguments: [A, B, C]",
                              "parameters: [block]\narguments: [A.data, B.data, C.data, m, block]");
  EXPECT_THAT(error_in(yaml), HasSubstr("lab.yaml:9:7: the case has no 'block'"));
  yaml = replaced(yaml, "k: 4,", "k: 4, block: 8,");
  yaml = replaced(yaml, "k: 32,", "k: 32, block: 16,");
  EXPECT_THAT(error_in(yaml), HasSubstr("the shape has no 'block'"));
  yaml = replaced(yaml, "k: 2048}", "k: 2048, block: 16}");
  const Expected<Lab> lab = load(yaml);
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->cases[1].parameters.at("block"), 16);
  EXPECT_EQ(lab->performance_parameters.at("block"), 16);
  EXPECT_EQ(lab->case_title(lab->cases[0]), "m=16 n=8 k=4 block=8 identity");
}

TEST_F(LoadLab, WindowsLineEndsAreFine) {
  std::string yaml;
  for (const char c : std::string(kLab))
    yaml += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(error_in(yaml), "no error");
}

TEST_F(LoadLab, UnknownWordsOfferTheNearest) {
  EXPECT_EQ(error_of("points: 50", "pionts: 50"),
            "labs/03-tiled/lab.yaml:6:3: unknown key 'pionts' in a correctness section (did you "
            "mean 'points'?); known are points, cases");
  EXPECT_THAT(error_of("kernel:", "kernal:"),
              StartsWith("labs/03-tiled/lab.yaml:3:1: unknown key"));
  EXPECT_THAT(error_of("operation: matmul", "operation: matmull"),
              HasSubstr(":2:12: unknown operation 'matmull' (did you mean 'matmul'?)"));
  EXPECT_THAT(error_of("global_load_excess_sectors", "global_load_excess_sectorss"),
              HasSubstr(":14:14: unknown metric 'global_load_excess_sectorss' (did you mean "
                        "'global_load_excess_sectors'?)"));
  EXPECT_THAT(error_of("race]", "rase]"),
              HasSubstr(":12:27: unknown check 'rase' (did you mean 'race'?)"));
  EXPECT_THAT(error_of("data: identity", "data: identiti"),
              HasSubstr(":8:33: no data recipe is called 'identiti' (did you mean 'identity'?)"));
  EXPECT_THAT(error_of("over: 01-naive", "over: 01-naiv"),
              HasSubstr("unknown lab '01-naiv' (did you mean '01-naive'?)"));
  EXPECT_THAT(error_of("[A, B, C]", "[A, B, C, rows]"), HasSubstr("unknown argument 'rows'"));
  EXPECT_THAT(error_of("title:", "element: float64\ntitle:"),
              HasSubstr("unknown element 'float64'"));
}

TEST_F(LoadLab, InputsMayHaveSixteenBits) {
  const std::string plain = replaced(kLab, "over: 01-naive, ", "");
  const Expected<Lab> lab =
      load("element: bfloat16\n" + replaced(plain, "metric: speedup", "metric: gflops"));
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->element, Element::float32);
  EXPECT_EQ(lab->inputs, Storage::bfloat16);
  EXPECT_EQ(lab->element_word(), "bfloat16");
  EXPECT_THAT(error_of("title:", "element: bfloat16\ntitle:"),
              HasSubstr("01-naive reads elements of another type than this lab"));
}

TEST_F(LoadLab, SixteenBitsAreTimedInPairs) {
  const std::string odd = replaced(kLab, "{m: 2048, n: 2048, k: 2048}", "{m: 3, n: 2, k: 5}");
  EXPECT_THAT(error_in("element: float16\n" + odd), HasSubstr("A has an odd number of elements"));
}

TEST_F(LoadLab, MetricsHaveTheirSection) {
  EXPECT_THAT(error_of("metric: global_load_excess_sectors", "metric: time_ms"),
              HasSubstr("metric 'time_ms' is a time; put it under performance"));
  EXPECT_THAT(error_of("metric: time_ms", "metric: barriers"),
              HasSubstr("metric 'barriers' is a counter; put it under technique"));
}

TEST_F(LoadLab, APitchIsOfEveryOperandOrOfThoseThatItNames) {
  const auto alike = load(kLab);
  ASSERT_TRUE(alike) << alike.error().str();
  using Padding = std::map<std::string, int>;
  EXPECT_EQ(alike->cases[1].padding, (Padding{{"A", 8}, {"B", 8}, {"C", 8}}));
  const auto lab = load(replaced(kLab, "padding: 8", "padding: {B: 3, C: 0, A: 5}"));
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->cases[1].padding, (Padding{{"A", 5}, {"B", 3}}));
  EXPECT_THAT(lab->case_title(lab->cases[1]), testing::EndsWith(" padding={A: 5, B: 3}"));
}

TEST_F(LoadLab, NumbersAreChecked) {
  EXPECT_THAT(error_of("m: 16", "m: x"), HasSubstr(":8:11: 'm' is 'x'; expected a whole number"));
  EXPECT_THAT(error_of("m: 16", "m: -16"),
              HasSubstr("'m' is '-16'; expected a whole number from 1"));
  EXPECT_THAT(error_of("m: 16", "m: 0"), HasSubstr("'m' is '0'"));
  EXPECT_THAT(error_of("m: 16", "m: 1.5"), HasSubstr("'m' is '1.5'"));
  EXPECT_THAT(error_of("m: 16", "m: 1048577"), HasSubstr("'m' is '1048577'"));
  EXPECT_THAT(error_of("m: 16", "m: [16]"), HasSubstr("'m' is a list"));
  EXPECT_THAT(error_of("m: 16, n: 8", "m: 1048576, n: 1048576"), HasSubstr("C would have"));
  EXPECT_THAT(error_of("padding: 8", "padding: -1"), HasSubstr("'padding' is '-1'"));
  EXPECT_THAT(error_of("padding: 8", "padding: {B: -1}"), HasSubstr("'B' is '-1'"));
  EXPECT_THAT(error_of("padding: 8", "padding: {D: 1}"), HasSubstr("'D'"));
  EXPECT_THAT(error_of("padding: 8", "padding: [8]"), HasSubstr("'padding' is a list"));
  EXPECT_THAT(error_of("points: 50", "points: -50"), HasSubstr("'points' is '-50'"));
  EXPECT_THAT(error_of("points: 50", "points: .nan"), HasSubstr("'points' is '.nan'"));
  EXPECT_THAT(error_of("points: 50", "points:"), HasSubstr("'points' is nothing"));
}

TEST_F(LoadLab, ImpossibleRangesAreErrors) {
  EXPECT_THAT(error_of("full: 1.2", "full: 1.0"), HasSubstr("'zero' and 'full' are equal"));
  EXPECT_THAT(error_of("at_most: 4.5", "at_most: 4.5, at_least: 5"),
              HasSubstr("'at_least' is above 'at_most'"));
  EXPECT_THAT(error_of("at_most: 4.5, ", ""), HasSubstr("needs 'at_least' or 'at_most'"));
  EXPECT_THAT(error_of(", zero: 1.0, full: 1.2", ""), HasSubstr("needs 'zero' and 'full'"));
  EXPECT_THAT(error_of("zero: 1.0, ", ""), HasSubstr("has no 'zero'"));
  EXPECT_THAT(error_of("over: 01-naive, ", ""), HasSubstr("'over'"));
  EXPECT_THAT(error_of("{NVIDIA H200: {full: 3.0, zero: 6.0}}", "[1]"),
              HasSubstr("'devices' maps"));
  EXPECT_THAT(error_of("points: 20", "points: 0"), HasSubstr(":18:71: 'points' is 0"));
  EXPECT_THAT(error_of("4.5, points: 5", "4.5, points: 0"), HasSubstr("'points' is 0"));
}

TEST_F(LoadLab, FullIsTheBetterEnd) {
  EXPECT_THAT(error_of("{full: 3.0, zero: 6.0}", "{full: 6.0, zero: 3.0}"),
              HasSubstr(":19:48: a shorter time is better: 'full' (6) must be below 'zero' (3); "
                        "swapped?"));
  EXPECT_THAT(error_of("zero: 1.0, full: 1.2", "zero: 1.2, full: 1.0"),
              HasSubstr("a larger speedup is better: 'full' (1) must be above 'zero' (1.2)"));
}

TEST_F(LoadLab, AGoodKernelMeetsTheRequirement) {
  EXPECT_THAT(error_of("good: 4,", "good: 5,"),
              HasSubstr(":14:59: good: 5 does not meet at_most: 4.5"));
  EXPECT_THAT(error_of("at_most: 4.5", "at_least: 4.5"),
              HasSubstr("good: 4 does not meet at_least: 4.5"));
}

TEST_F(LoadLab, ACardIsSpeltAsItsProfileSpellsIt) {
  for (const char* name : {"nvidia-h200", "Nvidia H200", "NVIDIA-H200"}) {
    EXPECT_THAT(error_of("NVIDIA H200", name), HasSubstr(std::string(":19:35: unknown card '") +
                                                         name + "' (did you mean 'NVIDIA H200'?)"));
  }
  EXPECT_EQ(error_of("NVIDIA H200", "NVIDIA H2000"), "no error");  // new cards can be measured
  EXPECT_THAT(
      error_of("time_ms, devices: {NVIDIA H200", "modelled_time_ms, devices: {NVIDIA H2000"),
      HasSubstr("unknown card 'NVIDIA H2000' (did you mean 'NVIDIA H200'?); known are NVIDIA "
                "H200, Tesla T4"));
}

TEST_F(LoadLab, ABaselineComputesTheSame) {
  EXPECT_THAT(error_of("over: 01-naive", "over: 03-tiled"),
              HasSubstr(":18:31: a lab cannot be its own baseline"));
  const std::string naive = "labs/01-naive/lab.yaml";
  folder_.write(naive, "operation: adjacent_difference\n");
  EXPECT_THAT(error_in(kLab), HasSubstr(":18:31: 01-naive computes adjacent_difference (n), this "
                                        "lab matmul (m, n, k): nothing to compare"));
  folder_.write(naive, "operation: matmul\nelement: int32\n");
  EXPECT_THAT(error_in(kLab), HasSubstr("01-naive computes with int32, this lab with float32"));
  folder_.write(naive, "operation: matmull\n");
  EXPECT_THAT(error_in(kLab), StartsWith(naive + ":1:12: unknown operation"));
}

TEST_F(LoadLab, ARequirementMayBeTheLessonAndGrowWithTheCase) {
  const std::string item = "global_load_excess_sectors, naive: 32";
  const auto lab = load(
      replaced(
          replaced(kLab, item,
                   "global_load_excess_sectors, lesson: true, scales_with: [m, /k], naive: 32"),
          "padding: 8}", "padding: 8, counted: true}"),
      "cases:\n  - {m: 64, n: 8, k: 8, counted: true}\n");
  ASSERT_TRUE(lab) << lab.error().str();
  const TechniqueItem& technique = lab->technique.front();
  EXPECT_TRUE(technique.lesson);
  ASSERT_EQ(technique.scales_with.size(), 2u);
  EXPECT_FALSE(technique.scales_with[0].divides);
  EXPECT_TRUE(technique.scales_with[1].divides);
  EXPECT_EQ(lab->counted_cases(), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(lab->scaled(technique, lab->cases[2]).at_most, 18);
}

TEST_F(LoadLab, ACaseMayCountForSomeRequirementsAlone) {
  const auto lab = load(kLab,
                        "cases:\n  - {m: 64, n: 8, k: 8, counted: [global_load_excess_sectors]}\n"
                        "  - {m: 8, n: 8, k: 8, counted: false}\n");
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->cases[2].counted, std::vector{Metric::global_load_excess_sectors});
  EXPECT_EQ(lab->counted_cases(), (std::vector<std::size_t>{1, 2}));
  EXPECT_THAT(error_of("padding: 8}", "padding: 8, counted: [barriers]}"),
              HasSubstr("unknown metric 'barriers'"));
}

TEST_F(LoadLab, FlagsAndFactorsAreChecked) {
  const std::string item = "global_load_excess_sectors, naive: 32";
  EXPECT_THAT(error_of(item, "global_load_excess_sectors, lesson: yes, naive: 32"),
              HasSubstr("'lesson' is 'yes'; expected true or false"));
  EXPECT_THAT(error_of("padding: 8}", "counted: 1}"),
              HasSubstr("'counted' is '1'; expected true or false"));
  EXPECT_THAT(error_of(item, "global_load_excess_sectors, scales_with: [q], naive: 32"),
              HasSubstr("unknown factor 'q'"));
}

TEST_F(LoadLab, AFloorOnARatioNeedsACeilingOnItsRequests) {
  const std::string item =
      "global_load_excess_sectors, naive: 32, good: 4, at_most: 4.5, points: 5}";
  const std::string floor = "global_store_sectors_per_request, at_least: 15, points: 5}";
  EXPECT_THAT(
      error_of(item, floor),
      HasSubstr("a floor on global_store_sectors_per_request is met by useless requests; add a "
                "ceiling on global_store_requests"));
  EXPECT_TRUE(load(replaced(
      kLab, item, floor + "\n  - {metric: global_store_requests, at_most: 800, points: 5}")));
  const std::string active = "active_threads_per_warp, at_least: 24, points: 5}";
  EXPECT_THAT(error_of(item, active),
              HasSubstr("a floor on active_threads_per_warp is met by useless instructions; add a "
                        "ceiling on instructions"));
  EXPECT_TRUE(
      load(replaced(kLab, item, active + "\n  - {metric: instructions, at_most: 800, points: 5}")));
}

TEST_F(LoadLab, ACeilingOnARatioIsRefused) {
  EXPECT_THAT(error_of("global_load_excess_sectors, naive: 32",
                       "global_load_sectors_per_request, naive: 32"),
              HasSubstr("set one on global_load_excess_sectors"));
  EXPECT_THAT(
      error_of("global_load_excess_sectors, naive: 32", "active_threads_per_warp, naive: 32"),
      HasSubstr("useless instructions; set one on instructions"));
}

TEST_F(LoadLab, AVectorMayBeTimedAtALength) {
  EXPECT_EQ(error_of("{m: 2048, n: 2048, k: 2048}", "{m: 1, n: 268435456, k: 1}"), "no error");
  EXPECT_THAT(error_of("{m: 2048, n: 2048, k: 2048}", "{m: 1, n: 268435457, k: 1}"),
              HasSubstr("'n' is '268435457'; expected a whole number from 1 to 268435456"));
  EXPECT_THAT(error_of("{m: 2048, n: 2048, k: 2048}", "{m: 268435456, n: 64, k: 1}"),
              HasSubstr("C would have"));
}

TEST_F(LoadLab, ATechniqueItemMayHaveItsOwnHint) {
  const Expected<Lab> lab = load(replaced(kLab, "at_most: 4.5,", "at_most: 4.5, hint: a warp,"));
  ASSERT_TRUE(lab) << lab.error().str();
  EXPECT_EQ(lab->technique.at(0).hint, "a warp");
}

TEST_F(LoadLab, MissingAndRepeatedKeysAreErrors) {
  EXPECT_THAT(error_of("kernel: matmul\n", ""), HasSubstr("lab.yaml:1:1: the lab has no 'kernel'"));
  EXPECT_THAT(error_of("n: 8, ", ""), HasSubstr("lab.yaml:8:7: the case has no 'n'"));
  EXPECT_THAT(error_of("points: 50", "points: 50\n  points: 60"),
              HasSubstr(":7:3: the key 'points' is given twice"));
}

TEST_F(LoadLab, ShapesOfTheFileAreChecked) {
  EXPECT_THAT(error_in(""), HasSubstr("empty"));
  EXPECT_THAT(error_in("# nothing\n"), HasSubstr("empty"));
  EXPECT_THAT(error_in("- a\n- b\n"),
              HasSubstr("a lab is a mapping of keys to values, not a list"));
  EXPECT_THAT(error_of("[A, B, C]", "A"), HasSubstr("'arguments' is 'A'; expected a list"));
  EXPECT_THAT(error_of("[A, B, C]", "[]"), HasSubstr("'arguments' is empty"));
  EXPECT_THAT(error_of("[A, B, C]", "[A, B]"), HasSubstr("lacks the output C"));
  EXPECT_THAT(error_of("{m: 16, n: 8, k: 4, data: identity}", "[16, 8, 4]"),
              HasSubstr("a case is a mapping"));
  EXPECT_THAT(error_of("correctness:\n", "correctness:\n\tx: 1\n"), HasSubstr("lab.yaml:6:"));
  EXPECT_THAT(error_of("[A, B, C]", "[A, B, C"), HasSubstr("is not valid YAML"));
  EXPECT_THAT(error_of("kernel: matmul", "kernel: mat mul"), HasSubstr("expected a C++ name"));
  EXPECT_THAT(error_in(kLab, "points: 3\n"),
              StartsWith("hidden.yaml:1:1: unknown key 'points' in a file of hidden cases"));
}

TEST_F(LoadLab, NamesOfParametersAreFree) {
  EXPECT_THAT(error_of("arguments:", "parameters: [m]\narguments:"), HasSubstr("name is taken"));
  EXPECT_THAT(error_of("arguments:", "parameters: [a b]\narguments:"), HasSubstr("C++ name"));
}

TEST_F(LoadLab, AMissingFileIsNamed) {
  const Expected<Lab> lab = load_lab(folder_.path() / "labs/09-none", "", datasets());
  ASSERT_FALSE(lab);
  EXPECT_THAT(lab.error().str(), HasSubstr("labs/09-none/lab.yaml"));
}

TEST_F(LoadLab, DataOfAnotherShapeIsFoundHere) {
  folder_.write_npy("datasets/small.npy", 3, 3);
  EXPECT_THAT(error_of("data: identity", "data: {A: small.npy, B: ones}"),
              HasSubstr("small.npy holds a 3 x 3 matrix; A is 16 x 4 here"));
  EXPECT_THAT(error_of("data: identity", "data: {A: none.npy, B: ones}"), HasSubstr("none.npy"));
  EXPECT_THAT(error_of("data: identity", "data: {A: ones}"), HasSubstr("has no 'B'"));
  EXPECT_THAT(error_of("data: identity", "data: {A: ones, B: ones, C: ones}"),
              HasSubstr("unknown key 'C'"));
}

}  // namespace
}  // namespace tessera
