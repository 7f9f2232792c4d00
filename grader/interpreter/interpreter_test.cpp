#include "grader/interpreter/interpreter.h"

#include <gmock/gmock.h>

#include <bit>
#include <cstring>

#include "common/temporary_directory.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kDouble = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r3, %r2, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

/// The checks keep 72 bytes for each byte of `big`.
constexpr const char* kTraced = R"(
.version 7.0
.target sm_80
.address_size 64
.global .b8 big[250000000];
.visible .entry traced()
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u64 %rd1, big;
  atom.global.add.u32 %r1, [%rd1], 1;
  st.global.u8 [%rd1+9], %r1;
  ret;
}
)";

/// One launch of `twice` on 32 numbers.
class Launch32 {
 public:
  Launch32() {
    address_ = memory_.allocate({.name = "data"}, 32 * 4);
    std::uint32_t numbers[32];
    for (std::uint32_t i = 0; i < 32; ++i) numbers[i] = i;
    std::memcpy(memory_.bytes(address_).data(), numbers, sizeof numbers);
    request.entry = "twice";
    request.shape.block = {32, 1, 1};
    request.memory = &memory_;
    const auto* bytes = reinterpret_cast<const std::byte*>(&address_);
    request.arguments = {Argument(bytes, bytes + 8)};
  }

  std::uint32_t number(std::size_t i) {
    std::uint32_t value = 0;
    std::memcpy(&value, memory_.bytes(address_).data() + 4 * i, 4);
    return value;
  }

  RunRequest request;

 private:
  DeviceMemory memory_{DeviceMemory::Storage::shared};
  std::uint64_t address_ = 0;
};

class InterpreterTest : public ::testing::Test {
 protected:
  /// An interpreter that does this deed.
  std::filesystem::path broken(const std::string& deed) {
    const std::filesystem::path link = folder_.path() / deed;
    std::filesystem::create_symlink(TESSERA_BROKEN_INTERPRETER, link);
    return link;
  }

  void expect_crash(const std::string& deed, const std::string& words) {
    Interpreter interpreter({.program = broken(deed), .threads = 1});
    ASSERT_TRUE(interpreter.load(kDouble));
    Launch32 launch;
    try {
      interpreter.run(launch.request);
      ADD_FAILURE() << deed << " went unnoticed";
    } catch (const ProcessCrash& crash) {
      EXPECT_THAT(crash.what(), HasSubstr(words)) << deed;
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(InterpreterTest, RunsALaunchInSharedMemory) {
  Interpreter interpreter({.program = TESSERA_INTERPRETER, .threads = 2});
  const auto kernels = interpreter.load(kDouble);
  ASSERT_TRUE(kernels) << kernels.error().str();
  EXPECT_EQ(kernels->at(0).entry, "twice");
  Launch32 launch;
  const RunResult result = interpreter.run(launch.request);
  EXPECT_EQ(result.status, RunStatus::completed);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.metrics.at(Metric::global_load_requests), 1);
  EXPECT_EQ(launch.number(5), 10u);
}

TEST_F(InterpreterTest, SamplesALaunch) {
  Interpreter interpreter({.program = TESSERA_INTERPRETER, .threads = 1});
  ASSERT_TRUE(interpreter.load(kDouble));
  Launch32 launch;
  const auto counters = interpreter.sample_launch(launch.request);
  ASSERT_TRUE(counters);
  EXPECT_EQ(counters->sampled_blocks, 1u);
}

TEST_F(InterpreterTest, SaysWhyPtxDoesNotLoad) {
  Interpreter interpreter({.program = TESSERA_INTERPRETER, .threads = 1});
  const auto nonsense = interpreter.load(".version 7.0\n.nonsense\n");
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().fault, LoadFault::not_ptx);
  EXPECT_EQ(nonsense.error().line, 2);
  const auto large = interpreter.load(".version 7.0\n.global .b8 table[536870912];\n");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().fault, LoadFault::over_limit);
  EXPECT_EQ(large.error().name, "table");
}

TEST_F(InterpreterTest, AReplyThatClaimsFailureIsNoMoreThanADeath) {
  for (const char* deed : {"fails-to-load", "fails-to-run"}) {
    Interpreter interpreter({.program = broken(deed), .threads = 1});
    Launch32 launch;
    try {
      const bool loaded = static_cast<bool>(interpreter.load(kDouble));
      if (loaded) interpreter.run(launch.request);
      ADD_FAILURE() << deed << " went unnoticed";
    } catch (const ProcessCrash& crash) {
      EXPECT_THAT(crash.what(), HasSubstr("no memory")) << deed;
    }
  }
}

TEST_F(InterpreterTest, ArgumentsThatDoNotFitLeaveAProcessForTheNextLaunch) {
  Interpreter interpreter({.program = TESSERA_INTERPRETER, .threads = 1});
  ASSERT_TRUE(interpreter.load(kDouble));
  Launch32 launch;
  launch.request.arguments = {Argument(4)};
  EXPECT_THROW(interpreter.run(launch.request), ProcessCrash);
  launch.request.arguments = {Argument(8)};
  EXPECT_EQ(interpreter.run(launch.request).status, RunStatus::completed);
}

TEST_F(InterpreterTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW(Interpreter({.program = "/nonexistent", .threads = 1}), std::system_error);
}

TEST_F(InterpreterTest, ANewProcessReplacesOneThatDied) {
  Interpreter interpreter({.program = broken("dies-once"), .threads = 1});
  ASSERT_TRUE(interpreter.load(kDouble));
  Launch32 first;
  EXPECT_THROW(interpreter.run(first.request), ProcessCrash);
  Launch32 second;
  EXPECT_EQ(interpreter.run(second.request).status, RunStatus::completed);
  EXPECT_EQ(second.number(5), 10u);
}

TEST_F(InterpreterTest, ADeathIsReportedWithItsSignal) {
  expect_crash("leaves", "status 0");
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer answers the signal itself";
#endif
  expect_crash("dies", "signal 11");
}

TEST_F(InterpreterTest, NativeCodeInItReachesNothing) {
  Interpreter interpreter({.program = broken("acts"), .threads = 1});
  ASSERT_TRUE(interpreter.load(kDouble));
  Launch32 launch;
  EXPECT_EQ(interpreter.run(launch.request).status, RunStatus::completed);
  EXPECT_EQ(launch.number(5), 10u);
}

TEST_F(InterpreterTest, ALaunchThatIsNotAnsweredIsStopped) {
  for (const char* deed : {"spins", "sleeps", "half-a-message"}) {
    Interpreter interpreter({.program = broken(deed), .threads = 1, .cpu_seconds = 0.1});
    ASSERT_TRUE(interpreter.load(kDouble)) << deed;
    Launch32 launch;
    launch.request.launch_step_limit = 1000;
    const RunResult result = interpreter.run(launch.request);
    EXPECT_EQ(result.status, RunStatus::stopped) << deed;
    ASSERT_EQ(result.findings.size(), 1u) << deed;
    EXPECT_EQ(result.findings[0].kind, FindingKind::step_limit) << deed;
    EXPECT_EQ(interpreter.sample_launch(launch.request), std::nullopt) << deed;
  }
}

TEST_F(InterpreterTest, ALaunchThatTakesAllMemoryIsStopped) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends a process that has no memory";
#endif
  Interpreter interpreter({.program = TESSERA_INTERPRETER, .threads = 1});
  ASSERT_TRUE(interpreter.load(kTraced));
  DeviceMemory memory(DeviceMemory::Storage::shared);
  RunRequest request;
  request.entry = "traced";
  request.memory = &memory;
  const RunResult result = interpreter.run(request);
  EXPECT_EQ(result.status, RunStatus::stopped);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::grader_crash);
  EXPECT_THAT(result.findings[0].message, HasSubstr("more memory"));
}

TEST_F(InterpreterTest, AnswersThatNoLaunchHasAreRefused) {
  for (const char* deed :
       {"counters-below-zero", "counters-no-number", "counters-beyond-the-launch",
        "counters-of-its-own", "counters-missing", "finding-of-the-judge", "finding-in-no-line",
        "finding-without-end", "finding-of-other-values", "finding-without-its-words",
        "finding-that-counts-nothing", "finding-of-many-values", "access-of-odd-width",
        "output-beyond-the-limit", "stammers"}) {
    expect_crash(deed, "nonsense");
  }
  expect_crash("claims-a-terabyte", "no answer");
}

TEST_F(InterpreterTest, FindingsThatAreTooLongToReadAreLeftOut) {
  Interpreter interpreter({.program = broken("finding-among-long-ones"), .threads = 1});
  ASSERT_TRUE(interpreter.load(kDouble));
  Launch32 launch;
  std::size_t bytes = 0;
  for (const Finding& finding : interpreter.run(launch.request).findings)
    bytes += finding.message.str().size() + finding.hint.str().size();
  EXPECT_GT(bytes, 100u << 10);
  EXPECT_LT(bytes, 300u << 10);
}

TEST(InterpreterPool, AProcessThatIsGivenBackTakesTheNextModule) {
  InterpreterPool pool(TESSERA_INTERPRETER);
  auto first = pool.take(1);
  ASSERT_TRUE(first->load(kDouble));
  const Interpreter* process = first.get();
  EXPECT_NE(pool.take(1).get(), process) << "it is still in use";
  EXPECT_NE(pool.apart()->take(1).get(), process);
  first.reset();
  auto other_threads = pool.take(2);
  EXPECT_NE(other_threads.get(), process);
  auto kept = pool.take(1);
  auto second = pool.take(1);
  ASSERT_TRUE(kept.get() == process || second.get() == process);
  if (kept.get() == process) std::swap(kept, second);
  EXPECT_FALSE(second->load(".version 7.0\n.nonsense\n"));
  Launch32 launch;
  EXPECT_THROW(second->run(launch.request), ProcessCrash) << "the module before is gone";
  ASSERT_TRUE(second->load(kDouble));
  EXPECT_EQ(second->run(launch.request).status, RunStatus::completed);
  EXPECT_EQ(launch.number(5), 10u);
}

TEST(InterpreterPool, AProcessOutlivesItsPool) {
  auto pool = std::make_unique<InterpreterPool>(TESSERA_INTERPRETER);
  const auto interpreter = pool->take(1);
  pool.reset();
  EXPECT_TRUE(interpreter->load(kDouble));
}

}  // namespace
}  // namespace tessera
