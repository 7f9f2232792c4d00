#include "grader/authoring/trial.h"

#include <gtest/gtest.h>

#include "common/device_profile.h"
#include "common/testing/source_root.h"
#include "grader/authoring/test_lab.h"
#include "grader/interpreter/interpreter.h"

namespace tessera {
namespace {

GradeOptions options_with_cache(const TestFolder& folder) {
  GradeOptions options;
  options.compiler = CompilerKind::clang;
  options.device = *load_device_profile("nvidia-h200", kRoot / "common/devices");
  options.include_dir = kRoot / "common/include";
  options.interpreters = std::make_shared<InterpreterPool>(TESSERA_INTERPRETER);
  options.compiler_program = TESSERA_COMPILER;
  options.cache_dir = folder.path() / "cache";
  return options;
}

TEST(Patience, AnEndlessKernelIsEndedAfterWhatTheReferenceNeeds) {
  const TestFolder folder;
  write_test_lab(folder, "    - {n: 20000, data: integers}\n");
  const auto lab = load_lab(folder.path() / "labs/00-difference", "", kRoot / "datasets");
  ASSERT_TRUE(lab) << lab.error().str();
  std::string endless = kReference;
  endless.insert(endless.find("  if (i >="), "  volatile int p = 1;\n  while (p) {}\n");
  const Setting setting{.lab = &*lab, .number = 1, .seed = 1};

  Bench bench(options_with_cache(folder));
  const auto right = std::get<Program>(bench.build(*lab, kReference));
  const auto wrong = std::get<Program>(bench.build(*lab, endless));
  EXPECT_EQ(bench.run(wrong, setting).steps->limit, 100'000u + 40 * 20'000) << "as in a grading";
  bench.set_patience(*lab, right, setting.seed);
  const CaseOutcome ended = bench.run(wrong, setting);
  EXPECT_EQ(ended.status, Status::timeout);
  EXPECT_LT(ended.steps->limit, 101'000u);
  EXPECT_EQ(bench.run(right, setting).status, Status::pass);
}

}  // namespace
}  // namespace tessera
