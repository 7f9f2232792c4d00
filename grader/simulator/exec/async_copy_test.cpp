// Asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").
#include "grader/simulator/testing/heap_calls.h"
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A kernel around `body`: %t holds the thread's number, %at the address of its word of `tile`,
/// %far that of a thread of the other warp, %in_at that of its word of the input, which holds 100,
/// 101, ...
PtxProgram copy_program(const std::string& body, std::uint32_t threads = 64) {
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[8192];
    .reg .b32 %t, %tile, %at, %far;
    mov.u32 %t, %tid.x; mov.u32 %tile, tile; mad.lo.u32 %at, %t, 4, %tile;
    xor.b32 %far, %t, 32; mad.lo.u32 %far, %far, 4, %tile;)" +
                     body);
  std::vector<std::uint32_t> input(1024);
  for (std::uint32_t i = 0; i < 1024; ++i) input[i] = 100 + i;
  program.buffer("in", input).buffer("out", std::vector<std::uint32_t>(1024));
  program.shape.block = {threads, 1, 1};
  return program;
}

const std::string kCopy = "cp.async.ca.shared.global [%at], [%in_at], 4;";
const std::string kCommit = "cp.async.commit_group;";
const std::string kWaitForAll = "cp.async.wait_group 0;";
const std::string kBarrier = "bar.sync 0;";
const std::string kLoad = "ld.shared.u32 %r0, [%at];";
const std::string kFar = "ld.shared.u32 %r0, [%far];";
const std::string kStore = "st.global.u32 [%out_at], %r0;";

RunResult run(const std::string& body, std::uint32_t threads = 64) {
  return copy_program(body, threads).run();
}

/// What each thread stores; the run must be clean.
std::vector<std::uint32_t> stored(const std::string& body, std::uint32_t threads = 64) {
  PtxProgram program = copy_program(body, threads);
  expect_clean(program.run());
  std::vector<std::uint32_t> all = program.contents<std::uint32_t>("out");
  all.resize(threads);
  return all;
}

TEST(AsyncCopy, ArrivesAtTheWait) {
  const std::vector<std::uint32_t> own = stored(kCopy + kCommit + kWaitForAll + kLoad + kStore);
  EXPECT_EQ(own[0], 100u);
  EXPECT_EQ(own[63], 163u);
  const std::vector<std::uint32_t> far =
      stored(kCopy + kCommit + kWaitForAll + kBarrier + kFar + kStore);
  EXPECT_EQ(far[0], 132u);
  EXPECT_EQ(far[63], 131u);
}

TEST(AsyncCopy, ItsSourceMayBeFreedAndForgotten) {
  const std::string again = "add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 65540; @%p0 bra ";
  PtxProgram program(
      ".shared .align 4 .b8 tile[4]; mov.u32 %r2, tile; mov.u32 %r1, 0;" + allocated("64") +
          "st.global.u32 [%rd0], %r1; cp.async.ca.shared.global [%r2], [%rd0], 4;" + freed() +
          "MANY:" + allocated("16") + freed() + again + "MANY; mov.u32 %r1, 64000; OTHERS:" +
          allocated("224") + again + "OTHERS; cp.async.wait_all;",
      kHeapScope);
  program.shape.block = {1, 1, 1};
  expect_clean(program.run());  // AddressSanitizer sees a read of what is gone
}

TEST(AsyncCopy, WaitAllNeedsNoGroup) {
  EXPECT_EQ(stored(kCopy + "cp.async.wait_all;" + kLoad + kStore)[5], 105u);
}

TEST(AsyncCopy, HasEightOrSixteenBytesToo) {
  const std::string wide =
      "mad.lo.u32 %r1, %t, {0}, %tile; mad.wide.u32 %rd1, %t, {0}, %in;"
      "cp.async.{1}.shared{2}.global{3} [%r1], [%rd1], {0};" +
      kCommit + kWaitForAll + "ld.shared.u32 %r0, [%r1+{4}];" + kStore;
  EXPECT_EQ(stored(fmt::format(fmt::runtime(wide), 8, "ca", "", "", 4))[3], 107u);
  EXPECT_EQ(stored(fmt::format(fmt::runtime(wide), 16, "cg", "", ".L2::128B", 12))[3], 115u);
  EXPECT_EQ(stored(fmt::format(fmt::runtime(wide), 16, "ca", "::cta", "", 8))[63], 354u);
}

TEST(AsyncCopy, FillsWithZerosWhatItsSourceLacks) {
  const std::string partly =
      "mad.lo.u32 %r1, %t, 16, %tile; mad.wide.u32 %rd1, %t, 16, %in; mov.u32 %r2, {};"
      "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;" +
      kCommit + kWaitForAll + "ld.shared.u32 %r0, [%r1+4];" + kStore;
  EXPECT_EQ(stored(fmt::format(fmt::runtime(partly), 8))[2], 109u);
  EXPECT_EQ(stored(fmt::format(fmt::runtime(partly), 6))[2], 109u & 0xffff);
  EXPECT_EQ(stored(fmt::format(fmt::runtime(partly), 4))[2], 0u);
  EXPECT_EQ(stored(fmt::format(fmt::runtime(partly), 0))[2], 0u);
  EXPECT_EQ(stored("add.u64 %rd1, %in_at, 1000000;"
                   "cp.async.ca.shared.global [%at], [%rd1], 4, 0;" +
                   kCommit + kWaitForAll + kLoad + kStore)[7],
            0u)
      << "a source of no bytes is not read";
}

TEST(AsyncCopy, GroupsArriveInTheirOrder) {
  const std::string second = "cp.async.ca.shared.global [%at+512], [%in_at+256], 4;" + kCommit;
  EXPECT_EQ(
      stored(kCopy + kCommit + second + "cp.async.wait_group 1;" + kLoad + kStore + kWaitForAll)[1],
      101u);
  const Finding finding =
      only_finding(run(at(10, kCopy) + kCommit + at(11, second) + at(12, "cp.async.wait_group 1;") +
                       at(13, "ld.shared.u32 %r0, [%at+512];") + kWaitForAll));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(finding.line, 13);
  EXPECT_EQ(
      finding.message.str(),
      "reads tile + 512 bytes (thread (0, 0, 0)) while its own copy of line 11 may still be on "
      "its way");
  EXPECT_THAT(finding.hint.str(), HasSubstr("that of line 12, lets 1 group travel on"));
  EXPECT_THAT(finding.hint.str(), HasSubstr("use __pipeline_wait_prior(0) there"));
}

TEST(AsyncCopy, NoWaitBeforeItIsForACopy) {
  const std::string elsewhere = "cp.async.ca.shared.global [%at+512], [%in_at], 4;" + kCommit;
  const Finding finding = only_finding(run(elsewhere + at(12, "cp.async.wait_group 1;") +
                                           at(13, kCopy) + kCommit + at(14, kLoad) + kWaitForAll));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(finding.line, 14);
  EXPECT_THAT(finding.hint.str(), HasSubstr("The copy of line 13 began after the wait of line 12"));
}

TEST(AsyncCopy, LinesOfFunctionsAreSaidWithTheirCalls) {
  const Finding finding =
      only_finding(run(called(5, 20, kCopy) + kCommit + called(8, 24, kLoad) + kWaitForAll));
  EXPECT_EQ(finding.line, 8);
  EXPECT_THAT(finding.message.str(),
              HasSubstr("still be on its way (line 8 is called in line 24) (line 5 is called in "
                        "line 20)"));
}

TEST(AsyncCopy, GroupsAreCountedByThread) {
  // The odd threads close a second group, so they wait for their first one only with wait_group 1.
  const std::string odd = "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1;";
  EXPECT_EQ(stored(odd + kCopy + kCommit + "@%p1 " + kCommit + "@%p1 cp.async.wait_group 1;" +
                   "@!%p1 " + kWaitForAll + kLoad + kStore)[3],
            103u);
  const Finding finding = only_finding(run(odd + kCopy + kCommit + "@%p1 " + kCommit +
                                           "cp.async.wait_group 1;" + at(9, kLoad) + kWaitForAll));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(finding.count, 32u);
}

TEST(AsyncCopy, ReadWithoutAWaitIsAnUnfinishedCopy) {
  const Finding finding =
      only_finding(run(at(10, kCopy) + kCommit + kBarrier + at(14, kFar) + kBarrier + kWaitForAll));
  EXPECT_EQ(to_string(finding.kind), "unfinished-copy");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.line, 14);
  EXPECT_EQ(finding.count, 64u);
  EXPECT_EQ(
      finding.message.str(),
      "reads tile + 128 bytes (thread (0, 0, 0)) while the copy of line 10 (thread (32, 0, 0)) "
      "may still be on its way");
  EXPECT_THAT(finding.hint.str(), HasSubstr("First the thread that copies waits"));
  EXPECT_EQ(example(finding, "other thread"), "(32, 0, 0)");
  EXPECT_EQ(example(finding, "other line"), "10");
}

TEST(AsyncCopy, AWaitIsForGroupsOnly) {
  const Finding finding = only_finding(
      run(at(10, kCopy) + kWaitForAll + kBarrier + at(14, kFar) + "cp.async.wait_all;"));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_THAT(finding.hint.str(), HasSubstr("The copy of line 10 belongs to no group yet"));
  const Finding late = only_finding(
      run(at(10, kCopy) + at(11, kWaitForAll) + kCommit + kBarrier + at(14, kFar) + kWaitForAll));
  EXPECT_THAT(late.hint.str(),
              HasSubstr("The group with the copy of line 10 was closed only after the wait of "
                        "line 11"));
}

TEST(AsyncCopy, ABarrierMustFollowTheWait) {
  expect_race(only_finding(run(at(10, kCopy) + kCommit + kWaitForAll + at(14, kFar))), 10, 14);
  const Finding finding =
      only_finding(run(at(10, kCopy) + kCommit + kBarrier + at(13, kWaitForAll) + at(14, kFar)));
  expect_race(finding, 13, 14);
  EXPECT_THAT(finding.message.str(), HasSubstr("line 13 waits for the copy into tile"));
  EXPECT_THAT(finding.hint.str(), HasSubstr("missing between line 13 and line 14"));
}

TEST(AsyncCopy, TheWaitOfAnotherThreadIsNoWait) {
  const Finding finding =
      only_finding(run(at(10, kCopy) + kCommit + "setp.ge.u32 %p1, %t, 32; @%p1 " + kWaitForAll +
                       kBarrier + at(14, kFar) + kBarrier + kWaitForAll));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(finding.count, 32u) << "the second warp reads what the first one copies";
}

TEST(AsyncCopy, TheTargetMustNotBeReadBeforeWithoutABarrier) {
  const Finding finding = only_finding(run("st.shared.u32 [%at], 1;" + kBarrier + at(10, kFar) +
                                           at(12, kCopy) + kCommit + kWaitForAll));
  expect_race(finding, 10, 12);
  EXPECT_THAT(finding.message.str(), HasSubstr("copies into it"));
}

TEST(AsyncCopy, NothingMayBeStoredOnItsWay) {
  const Finding own = only_finding(
      run(at(10, kCopy) + kCommit + at(11, "st.shared.u32 [%at], 1;") + kWaitForAll + kLoad));
  EXPECT_EQ(own.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(own.line, 11);
  EXPECT_THAT(own.message.str(), HasSubstr("stores tile"));
  const Finding other =
      only_finding(run(at(10, kCopy) + kCommit + kBarrier + at(11, "st.shared.u32 [%far], 1;") +
                       kBarrier + kWaitForAll));
  EXPECT_EQ(other.kind, FindingKind::unfinished_copy);
  const Finding updated = only_finding(
      run(at(10, kCopy) + kCommit + at(11, "red.shared.add.u32 [%at], 1;") + kWaitForAll));
  EXPECT_THAT(updated.message.str(), HasSubstr("updates tile"));
}

TEST(AsyncCopy, OneCopyIntoAnElementIsOnItsWay) {
  const Finding again =
      only_finding(run(at(10, kCopy) + kCommit + at(11, kCopy) + kCommit + kWaitForAll + kLoad));
  EXPECT_EQ(again.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(again.line, 11);
  EXPECT_THAT(again.message.str(), HasSubstr("copies into tile"));
  EXPECT_THAT(again.hint.str(), HasSubstr("Only one copy into an element"));
  const std::string pairs = "shr.u32 %r1, %t, 1; mad.lo.u32 %r1, %r1, 4, %tile;";
  const Finding two = only_finding(
      run(pairs + at(10, "cp.async.ca.shared.global [%r1], [%in_at], 4;") + kCommit + kWaitForAll));
  expect_race(two, 10, 10);
  EXPECT_THAT(two.message.str(), HasSubstr("line 10 copies into tile + 0 bytes twice"));
}

TEST(AsyncCopy, TwoThreadsMayCopyTheSame) {
  const std::string pairs =
      "shr.u32 %r1, %t, 1; mad.wide.u32 %rd1, %r1, 4, %in; mad.lo.u32 %r1, %r1, 4, %tile;";
  const Finding finding = only_finding(
      run(pairs + at(10, "cp.async.ca.shared.global [%r1], [%rd1], 4;") + kCommit + kWaitForAll));
  EXPECT_EQ(finding.severity, Severity::info);
}

TEST(AsyncCopy, TheSourceMustNotChangeOnItsWay) {
  const std::string own = "cp.async.ca.shared.global [%at], [%out_at], 4;" + kCommit;
  const Finding finding =
      only_finding(run(at(10, own) + at(11, "st.global.u32 [%out_at], 7;") + at(12, kWaitForAll)));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_THAT(finding.message.str(), HasSubstr("waits for the copy of line 10, whose source out["));
  // Another thread stores after a barrier that stands before the wait.
  const std::string far = "xor.b32 %r1, %t, 32; mad.wide.u32 %rd1, %r1, 4, %out;";
  const RunResult other =
      run(far + at(10, own) + kBarrier + at(12, "st.global.u32 [%rd1], 7;") + at(13, kWaitForAll));
  EXPECT_TRUE(std::ranges::any_of(other.findings, [](const Finding& it) {
    return it.kind == FindingKind::race && it.severity == Severity::error;
  })) << describe(other);
  expect_clean(run(far + own + kWaitForAll + kBarrier + "st.global.u32 [%rd1], 7;"));
}

TEST(AsyncCopy, AKernelShouldWaitForItsCopies) {
  const Finding finding = only_finding(run(at(10, kCopy) + kCommit));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.line, 10);
  // Blocks that come later on the same host thread do not see the copies of this one.
  PtxProgram blocks =
      copy_program("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0;" + at(10, "@%p1 " + kCopy) +
                   "@!%p1 st.shared.u32 [%at], 1; @!%p1 " + kLoad);
  blocks.shape.grid = {2, 1, 1};
  EXPECT_EQ(only_finding(blocks.run()).line, 10);
}

TEST(AsyncCopy, ItsTwoAddressesAreChecked) {
  const auto kind_of = [](const std::string& code) {
    return std::string(to_string(only_finding(run(code + kCommit + kWaitForAll)).kind));
  };
  EXPECT_EQ(kind_of("cp.async.ca.shared.global [%at+8192], [%in_at], 4;"), "out-of-bounds");
  EXPECT_EQ(kind_of("cp.async.ca.shared.global [%at], [%in_at+4096], 4;"), "out-of-bounds");
  EXPECT_EQ(kind_of("setp.eq.u32 %p1, %t, 0; "
                    "@%p1 cp.async.ca.shared.global [%tile], [%in_at+2], 4, 2;"),
            "misaligned");
  EXPECT_EQ(kind_of("mad.lo.u32 %r1, %t, 16, %tile;"
                    "cp.async.cg.shared.global [%r1+4], [%in], 16;"),
            "misaligned");
}

TEST(AsyncCopy, FormsThatDoNotExistAreRefused) {
  const auto refused = [](const std::string& code) {
    const auto module = load_module(copy_program(code).text());
    return module ? std::string() : module.error().message;
  };
  EXPECT_THAT(refused("cp.async.cg.shared.global [%at], [%in_at], 4;"), HasSubstr("16 with .cg"));
  EXPECT_THAT(refused("cp.async.ca.shared.global [%at], [%in_at], 12;"), HasSubstr("4, 8 or 16"));
  EXPECT_THAT(refused("cp.async.wait_group -1;"), HasSubstr("number of the groups"));
}

TEST(AsyncCopy, OtherFormsAreUnsupported) {
  for (const std::string code :
       {"cp.async.ca.shared.global [%at], [%in_at], 4, %p1;",
        "cp.async.ca.shared.global.L2::cache_hint [%at], [%in_at], 4, %rd1;",
        "cp.async.bulk.commit_group;"}) {
    const Finding finding = only_finding(run(code));
    EXPECT_EQ(finding.kind, FindingKind::unsupported_instruction) << code;
  }
}

double counted(const std::string& code, Metric metric) {
  RunResult result = run(code + kCommit + kWaitForAll);
  expect_clean(result);
  return result.metrics.at(metric);
}

TEST(AsyncCopy, CountsAsALoadFromGlobalMemory) {
  EXPECT_EQ(counted(kCopy, Metric::global_load_requests), 2);
  EXPECT_EQ(counted(kCopy, Metric::global_load_sectors), 8);
  EXPECT_EQ(counted(kCopy, Metric::global_load_bytes), 256);
  EXPECT_EQ(counted(kCopy, Metric::shared_store_requests), 0);
  EXPECT_EQ(counted(kCopy, Metric::async_copies), 2);
  EXPECT_EQ(counted(kCopy, Metric::loads_to_registers), 0);
}

TEST(AsyncCopy, CountsApartFromLoadsToRegisters) {
  const std::string both = kCopy + "ld.global.u32 %r1, [%in_at]; st.global.u32 [%out_at], %r1;";
  EXPECT_EQ(counted(both, Metric::global_load_requests), 4);
  EXPECT_EQ(counted(both, Metric::loads_to_registers), 2);
  EXPECT_EQ(counted(both, Metric::async_copies), 2);
}

// One warp of 128 threads, with Nsight Compute on an H200:
// sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts of four times the copy.
TEST(AsyncCopy, ArrivesInWavefrontsAsOnAnH200) {
  const auto turned = [](unsigned pitch) {
    return fmt::format(
        "and.b32 %r1, %t, 7; shr.u32 %r2, %t, 3; mad.lo.u32 %r3, %r1, {}, %r2;"
        "mad.lo.u32 %r3, %r3, 4, %tile; mad.lo.u32 %r4, %r2, 128, %r1;"
        "mad.wide.u32 %rd1, %r4, 4, %in; cp.async.ca.shared.global [%r3], [%rd1], 4;",
        pitch);
  };
  EXPECT_EQ(counted(turned(68), Metric::async_copy_wavefronts), 2 * 4);
  EXPECT_EQ(counted(turned(64), Metric::async_copy_wavefronts), 2 * 11);
  EXPECT_EQ(counted(turned(64), Metric::async_copy_bank_conflicts), 2 * 10);
  const std::string wide =
      "mad.lo.u32 %r1, %t, 16, %tile; mad.wide.u32 %rd1, %t, 16, %in;"
      "cp.async.cg.shared.global [%r1], [%rd1], 16;";
  EXPECT_EQ(counted(wide, Metric::async_copy_wavefronts), 2 * 4);
  EXPECT_EQ(counted(wide, Metric::async_copy_bank_conflicts), 0);
}

TEST(AsyncCopy, IsNeededWhereItsThreadWaits) {
  const std::string twice = "add.f32 %f0, %f0, %f0; mul.f32 %f0, %f0, %f0;";
  PtxProgram program = copy_program("mov.f32 %f0, 0f00000000;" + kCopy + kCommit + twice + kCopy +
                                    kCommit + "cp.async.wait_group 1;" + twice + kWaitForAll);
  program.shape.block = {32, 1, 1};
  program.load_use = true;
  EXPECT_EQ(program.run().metrics.at(Metric::load_use_distance), 2);
}

TEST(AsyncCopy, OfAWarpThatOnlyCopiesIsMeasuredByWhatTheBlockComputes) {
  const std::string work =
      "mov.f32 %f0, 0f00000000; add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f0;"
      "add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f0; mul.f32 %f0, %f0, %f0;"
      "mul.f32 %f0, %f0, %f0;";
  PtxProgram program = copy_program(
      "setp.ge.u32 %p1, %t, 32; @%p1 bra COMPUTES;" + kBarrier + kCopy + kCommit + kWaitForAll +
      kBarrier + "bra END; COMPUTES:" + work + kBarrier + work + work + kBarrier + "END:");
  program.load_use = true;
  EXPECT_EQ(program.run().metrics.at(Metric::load_use_distance), 12)
      << "between the barriers, in whatever order the warps take turns";
}

TEST(AsyncCopy, AModelledBlockWaitsForItsCopies) {
  const std::string work = [] {
    std::string code = "mov.f32 %f0, 0f00000000;";
    for (int i = 0; i < 100; ++i) code += "add.f32 %f0, %f0, %f0;";
    return code;
  }();
  const auto wait = [&](const std::string& code) {
    const auto counters = copy_program(code).sample();
    return counters ? counters->wait.from_l2 : -1;
  };
  const double alone = wait(work);
  const double after = wait(kCopy + kCommit + kWaitForAll + work);
  const double during = wait(kCopy + kCommit + work + kWaitForAll);
  EXPECT_GT(after, alone + 400);
  EXPECT_LT(during, after - 300);
  EXPECT_GT(during, alone);
}

TEST(AsyncCopy, MoreCopiesThanSharedMemoryHoldsAreUnsupported) {
  PtxProgram program = copy_program("mov.u32 %r1, 0; LOOP: " + kCopy +
                                    "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000;"
                                    "@%p1 bra LOOP;");
  EXPECT_EQ(program.run().status, RunStatus::unsupported);
}

}  // namespace
}  // namespace tessera::test
