// Flags and locks in shared memory: accesses before a flag is set are ordered, accesses after it
// are not.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

/// A kernel around `body`: %t holds the thread's number, %lane its lane, %at the address of its
/// word of `data`, %from that of the thread 32 before it; `lock`, `flag`, `sum` and `other_flag`
/// are 0.
PtxProgram flags_program(const std::string& body, std::uint32_t threads) {
  PtxProgram program(R"(
    .shared .align 4 .u32 lock; .shared .align 4 .u32 flag; .shared .align 4 .u32 other_flag;
    .shared .align 4 .u32 sum; .shared .align 16 .b8 data[1024];
    .reg .b32 %t, %lane, %at, %from; mov.u32 %t, %tid.x; and.b32 %lane, %t, 31; mov.u32 %r0, data;
    mad.lo.u32 %at, %t, 4, %r0; add.u32 %from, %at, -128; setp.eq.u32 %p9, %t, 0;
    @%p9 st.shared.u32 [lock], 0; @%p9 st.shared.u32 [flag], 0; @%p9 st.shared.u32 [other_flag], 0;
    @%p9 st.shared.u32 [sum], 0; bar.sync 0;)" +
                     body);
  program.shape.block = {threads, 1, 1};
  return program;
}

const std::string kFenceBlock = "membar.cta;\n";
const std::string kTake =
    "TAKE: atom.shared.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TAKE; "
    "membar.cta;\n";
const std::string kGiveBack = "membar.cta; atom.shared.exch.b32 %r1, [lock], 0;\n";
const std::string kUpdate =
    at(20, "ld.shared.u32 %r2, [sum]; add.u32 %r2, %r2, 1; st.shared.u32 [sum], %r2;");

/// One thread of each warp runs `locked`; then thread 0 stores the sum.
PtxProgram one_of_each_warp(const std::string& locked) {
  PtxProgram program = flags_program("setp.ne.u32 %p0, %lane, 0; @%p0 bra END;\n" + locked +
                                         "END: bar.sync 0; ld.shared.u32 %r3, [sum]; @%p9 "
                                         "st.global.u32 [%out], %r3;",
                                     128);
  program.buffer("out", std::vector<std::uint32_t>(1, 0));
  return program;
}

TEST(SharedLock, AnUpdateUnderItIsOrdered) {
  PtxProgram program = one_of_each_warp(kTake + kUpdate + kGiveBack);
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 4u);
}

/// Each warp adds to the sum; the warp that is last by the count in `flag` loads it.
PtxProgram last_of_four(const std::string& fence) {
  return one_of_each_warp(at(20, "red.shared.add.u32 [sum], 1;") + fence +
                          "atom.shared.add.u32 %r3, [flag], 1; setp.ne.u32 %p1, %r3, 3; @%p1 bra "
                          "END;\n" +
                          fence + at(30, "ld.shared.u32 %r2, [sum];"));
}

TEST(SharedSum, LoadedByTheLastWarpIsOrderedByFences) {
  expect_clean(last_of_four(kFenceBlock).run());
}

TEST(SharedSum, AWarpsOwnAdditionDoesNotOrderThoseOfOthers) {
  expect_race(only_finding(last_of_four("").run()), 30, 20);
}

TEST(SharedLock, ReleasedBeforeTheUpdateProtectsNothing) {
  expect_race(only_finding(one_of_each_warp(kTake + kGiveBack + kUpdate).run()), 20, 20);
}

TEST(SharedLock, TakenAfterTheUpdateProtectsNothing) {
  expect_race(only_finding(one_of_each_warp(kUpdate + kTake + kGiveBack).run()), 20, 20);
}

TEST(SharedLock, ACompareAndSwapThatStoresNothingReleasesNothing) {
  const auto after_swap = [](int expected) {
    const std::string store = at(20, "@%p9 st.shared.u32 [data], 7;") + "@%p9 membar.cta;\n";
    const std::string swap =
        fmt::format("@%p9 atom.shared.cas.b32 %r1, [flag], {}, 5;\n", expected);
    const std::string load =
        "setp.ne.u32 %p0, %t, 32; @%p0 bra END;\n"
        "atom.shared.or.b32 %r2, [flag], 0; setp.eq.u32 %p0, %r2, 9; @%p0 bra END;\n" +
        at(30, "ld.shared.u32 %r3, [data];") + "END:";
    return flags_program(store + swap + load, 64).run();
  };
  expect_clean(after_swap(0));
  expect_race(only_finding(after_swap(1)), 20, 30);
}

TEST(SharedLock, ProtectsEveryIterationOfALoop) {
  const auto loop = [](const std::string& pass) {
    return "mov.u32 %r5, 0; LOOP:" + pass +
           "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 6; @%p0 bra LOOP;\n";
  };
  PtxProgram program = one_of_each_warp(loop(kTake + kUpdate + kGiveBack));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 24u);
  const RunResult careless = one_of_each_warp(loop(kTake + kGiveBack + kUpdate)).run();
  ASSERT_FALSE(careless.findings.empty());
  expect_race(careless.findings.front(), 20, 20);
}

const std::string kStoreData = at(20, "st.shared.u32 [%at], %t;");
const std::string kLoadData = at(30, "ld.shared.u32 %r3, [%from];");
const std::string kRaiseFlag = "@%p9 atom.shared.exch.b32 %r1, [flag], 1;\n";
const std::string kWait =
    "WAIT: atom.shared.or.b32 %r1, [flag], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;\n";
const std::string kSyncWarp = "bar.warp.sync -1;\n";

/// Warp 0 runs `producer`, warp 1 runs `consumer`.
RunResult handshake(const std::string& producer, const std::string& consumer) {
  return flags_program("setp.ge.u32 %p0, %t, 32; @%p0 bra CONSUMER;\n" + producer +
                           "bra END;\nCONSUMER:" + consumer + "END:",
                       64)
      .run();
}

TEST(SharedFlag, DataBeforeItIsOrdered) {
  // The thread that sets the flag executes a fence, or each thread does.
  expect_clean(handshake(kStoreData + kSyncWarp + kFenceBlock + kRaiseFlag, kWait + kLoadData));
  expect_clean(handshake(kStoreData + kFenceBlock + kSyncWarp + kRaiseFlag, kWait + kLoadData));
}

TEST(SharedFlag, DataAfterItIsNotOrdered) {
  expect_race(
      only_finding(handshake(kFenceBlock + kRaiseFlag + kSyncWarp + kStoreData, kWait + kLoadData)),
      20, 30);
  expect_race(only_finding(handshake(kFenceBlock + kRaiseFlag + kStoreData, kWait + kLoadData)), 20,
              30);
}

const std::string kReadLane1 = at(30, thread_only(33, "ld.shared.u32 %r3, [%from];"));

/// Lane 1 stores a word, its warp runs `meeting`, and lane 0 sets the flag for which the other warp
/// waits.
RunResult store_and_set_flag(const std::string& meeting) {
  return handshake(
      at(20, thread_only(1, "st.shared.u32 [%at], %t;")) + meeting + kFenceBlock + kRaiseFlag,
      kWait + kReadLane1);
}

/// The lanes of `mask` meet; the others go on.
std::string meet_by_mask(unsigned mask) {
  return fmt::format(
      "shr.u32 %r4, {0}, %lane; and.b32 %r4, %r4, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra PAST{0};"
      "bar.warp.sync {0}; PAST{0}:\n",
      mask);
}

TEST(SharedFlag, OrdersAccessesOfLanesThatHaveMetItsLane) {
  expect_clean(store_and_set_flag(kSyncWarp));
  expect_clean(store_and_set_flag(meet_by_mask(0x3)));
  expect_race(only_finding(store_and_set_flag("")), 20, 30);
  expect_race(only_finding(store_and_set_flag(meet_by_mask(0xfffffffd))), 20, 30);
}

TEST(SharedFlag, OrdersWhatAThirdLanePassesOn) {
  expect_clean(store_and_set_flag(meet_by_mask(0x6) + meet_by_mask(0x5)));
  expect_race(only_finding(store_and_set_flag(meet_by_mask(0x5) + meet_by_mask(0x6))), 20, 30);
}

TEST(SharedFlag, IsReadForTheLanesThatHaveMetItsReader) {
  const auto read_after = [](const std::string& meeting) {
    return handshake(kStoreData + kSyncWarp + kFenceBlock + kRaiseFlag,
                     thread_only(32, "bra READER;") + "bra MEET;\nREADER:" + kWait +
                         "MEET:" + meeting + kReadLane1);
  };
  expect_clean(read_after(kSyncWarp));
  expect_clean(read_after(meet_by_mask(0x3)));
  expect_race(only_finding(read_after(meet_by_mask(0xfffffffd))), 20, 30);
}

TEST(SharedFlag, OneThreadMayWaitForItsWarp) {
  const std::string one_waits =
      "setp.ne.u32 %p2, %lane, 0; @%p2 bra WAITED;\n" + kWait + "WAITED:" + kSyncWarp;
  expect_clean(handshake(kStoreData + kSyncWarp + kFenceBlock + kRaiseFlag, one_waits + kLoadData));
  expect_race(only_finding(handshake(kFenceBlock + kRaiseFlag + kSyncWarp + kStoreData,
                                     one_waits + kLoadData)),
              20, 30);
}

TEST(SharedFlag, AReadAfterItRacesWithTheStoreThatWaitedForIt) {
  // The first warp sets a flag when it has read, and the second warp overwrites the word.
  const std::string prepare = "@%p0 st.shared.u32 [%from], 0; bar.sync 0;\n";
  const std::string load = at(20, "ld.shared.u32 %r3, [%at];");
  const std::string store = at(30, "st.shared.u32 [%from], %t;");
  const auto overwritten = [&](const std::string& reader) {
    return flags_program("setp.ge.u32 %p0, %t, 32;" + prepare + "@%p0 bra CONSUMER;\n" + reader +
                             "bra END;\nCONSUMER:" + kWait + store + "END:",
                         64)
        .run();
  };
  expect_clean(overwritten(load + kSyncWarp + kFenceBlock + kRaiseFlag));
  expect_race(only_finding(overwritten(kFenceBlock + kRaiseFlag + kSyncWarp + load)), 20, 30);
}

/// Thread 0 of each of warps 0 to 2 reads a word and, except in warp `silent`, sets its own flag;
/// thread 0 of warp 3 waits for these flags and stores the word.
RunResult shared_readers(int silent) {
  std::string body = "setp.ne.u32 %p0, %lane, 0; @%p0 bra END;\n", waits;
  const char* flags[] = {"lock", "flag", "other_flag"};
  for (int warp = 0; warp < 3; ++warp) {
    body += fmt::format("setp.eq.u32 %p0, %t, {}; @%p0 bra READER{};\n", 32 * warp, warp);
    if (warp == silent) continue;
    waits += fmt::format(
        "WAIT{0}: ld.volatile.shared.u32 %r1, [{1}]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT{0};\n",
        warp, flags[warp]);
  }
  body += waits + kFenceBlock + at(30, "st.shared.u32 [sum], 42; bra END;");
  for (int warp = 0; warp < 3; ++warp) {
    body += fmt::format("READER{}:", warp) + at(20 + warp, "ld.shared.u32 %r3, [sum];");
    if (warp != silent)
      body += kFenceBlock + fmt::format("st.volatile.shared.u32 [{}], 1;", flags[warp]);
    body += "bra END;\n";
  }
  return flags_program(body + "END:", 128).run();
}

TEST(SharedFlag, NoReaderIsForgottenBehindOthers) {
  expect_clean(shared_readers(-1));
  for (const int silent : {0, 1, 2}) {
    SCOPED_TRACE(silent);
    expect_race(only_finding(shared_readers(silent)), 20 + silent, 30);
  }
}

TEST(SharedFlag, MoreFlagsThanAreFollowedAreReported) {
  const auto run_with = [](int flags) {
    PtxProgram program(fmt::format(R"(
      .reg .b32 %t; mov.u32 %t, %tid.x; setp.eq.u32 %p0, %t, 32; @%p0 bra LAST;
      setp.ne.u32 %p0, %t, 0; @%p0 bra END;
      mov.u64 %rd0, %flags; mov.u32 %r0, 0;
      AGAIN: membar.gl; st.volatile.global.u32 [%rd0], 1; ld.volatile.global.u32 %r1, [%rd0];
      add.u64 %rd0, %rd0, 4; add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, {}; @%p1 bra AGAIN;
      st.global.u32 [%data], 1; bra END;
      LAST: st.global.u32 [%data], 2; END:)",
                                   flags));
    program.shape.block = {64, 1, 1};
    program.buffer("flags", std::vector<std::uint32_t>(1 << 14, 0));
    program.buffer("data", std::vector<std::uint32_t>(1, 0));
    return program.run();
  };
  const RunResult few = run_with(100);
  EXPECT_EQ(only_finding(few).severity, Severity::error);
  const RunResult many = run_with(1 << 14);
  EXPECT_EQ(only_finding(many).severity, Severity::info);
  EXPECT_THAT(only_finding(many).message,
              testing::HasSubstr("more flags than the simulator follows"));
}

TEST(SharedFlag, OrdersVectorsAndBytesToo) {
  const std::string quad_store = at(20, "@%p9 st.shared.v4.u32 [data], {%t, %t, %t, %t};");
  const std::string quad_load = at(30, "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [data];");
  const std::string byte_store = at(20, "add.u32 %r6, %r0, %lane; st.shared.u8 [%r6], %t;");
  const std::string byte_load = at(30, "add.u32 %r6, %r0, %lane; ld.shared.u8 %r3, [%r6];");
  for (const auto& [store, load] :
       {std::pair(quad_store, quad_load), std::pair(byte_store, byte_load)}) {
    SCOPED_TRACE(store);
    expect_clean(handshake(store + kSyncWarp + kFenceBlock + kRaiseFlag, kWait + load));
    expect_race(only_finding(handshake(kFenceBlock + kRaiseFlag + kSyncWarp + store, kWait + load)),
                20, 30);
  }
}

}  // namespace
}  // namespace tessera::test
