// Barriers of a part of a block (PTX ISA, 9.7.13.1: a barrier with a number of threads): they order
// their own threads and no others.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

/// A kernel around `body`: %t holds the thread's number, %at the address of its word of `tile`,
/// %near and %far those of a thread one and two warps on. All words are written.
PtxProgram warps_program(const std::string& body, std::uint32_t threads = 128) {
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[4096]; .reg .b32 %t, %at, %near, %far, %lane, %group;
    mov.u32 %t, %tid.x; mov.u32 %r0, tile; mad.lo.u32 %at, %t, 4, %r0;
    xor.b32 %near, %t, 32; mad.lo.u32 %near, %near, 4, %r0;
    xor.b32 %far, %t, 64; mad.lo.u32 %far, %far, 4, %r0;
    and.b32 %lane, %t, 31; st.shared.u32 [%at], 0; bar.sync 0;)" +
                     body);
  program.shape.block = {threads, 1, 1};
  return program;
}

RunResult run_warps(const std::string& body, std::uint32_t threads = 128) {
  return warps_program(body, threads).run();
}

/// Threads 0 to 63 meet at barrier 1, the others at barrier 2.
const std::string kHalvesMeet =
    "shr.u32 %group, %t, 6; add.u32 %group, %group, 1; bar.sync %group, 64;";
/// Threads 0 to 63 meet at barrier 1, the others go on.
const std::string kLowerHalfMeets = "setp.ge.u32 %p1, %t, 64; @%p1 bra MET; bar.sync 1, 64; MET:\n";

TEST(PartialBarrier, OrdersItsThreads) {
  expect_clean(run_warps(at(20, kStoreOwn) + kHalvesMeet + at(24, kLoadNear)));
  expect_clean(run_warps(at(20, kLoadNear) + kHalvesMeet + at(24, kStoreOwn)));
  expect_race(only_finding(run_warps(at(20, kStoreOwn) + at(24, kLoadNear))), 20, 24);
}

TEST(PartialBarrier, OrdersItsThreadsInEveryPassOfALoop) {
  expect_clean(run_warps("mov.u32 %r5, 0; LOOP:" + at(20, kStoreOwn) + kHalvesMeet +
                         at(24, kLoadNear) + kHalvesMeet +
                         "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 9; @%p0 bra LOOP;"));
  expect_race(only_finding(run_warps("mov.u32 %r5, 0; LOOP:" + at(20, kStoreOwn) + kHalvesMeet +
                                     at(24, kLoadNear) +
                                     "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 9; @%p0 bra "
                                     "LOOP;")),
              20, 24);
}

TEST(PartialBarrier, OrdersNothingBetweenThreadsOfTwoBarriers) {
  expect_race(only_finding(run_warps(at(20, kStoreOwn) + kHalvesMeet + at(24, kLoadFar))), 20, 24);
  expect_race(only_finding(run_warps(at(20, kLoadFar) + kHalvesMeet + at(24, kStoreOwn))), 20, 24);
}

TEST(PartialBarrier, OrdersNothingForAThreadThatTakesNoPart) {
  // Thread 70 does not take part; thread 3 does.
  const std::string store = at(20, thread_only(70, "st.shared.u32 [tile+40], 7;"));
  const std::string load = at(24, thread_only(3, "ld.shared.u32 %r1, [tile+40];"));
  expect_race(only_finding(run_warps(store + kLowerHalfMeets + load)), 20, 24);
  const std::string own_store = at(20, thread_only(3, "st.shared.u32 [tile+40], 7;"));
  const std::string other_load = at(24, thread_only(70, "ld.shared.u32 %r1, [tile+40];"));
  expect_race(only_finding(run_warps(own_store + kLowerHalfMeets + other_load)), 20, 24);
}

TEST(PartialBarrier, AThreadThatHasEndedTakesNoPart) {
  // Warp 0 stores and ends before the others meet.
  expect_race(
      only_finding(run_warps(at(20, thread_only(3, "st.shared.u32 [tile+160], 7;")) +
                                 "setp.lt.u32 %p1, %t, 32; @%p1 bra END; bar.sync 1, 64;" +
                                 at(24, thread_only(70, "ld.shared.u32 %r1, [tile+160];")) + "END:",
                             96)),
      20, 24);
}

TEST(PartialBarrier, OfOneWarpOrdersItsLanes) {
  const std::string own_barrier =
      "shr.u32 %group, %t, 5; add.u32 %group, %group, 1; bar.sync %group, 32;";
  const std::string load_neighbour =
      "xor.b32 %r2, %t, 1; mad.lo.u32 %r2, %r2, 4, %r0; ld.shared.u32 %r1, [%r2];";
  expect_clean(run_warps(at(20, kStoreOwn) + own_barrier + at(24, load_neighbour)));
  expect_race(only_finding(run_warps(at(20, kStoreOwn) + own_barrier + at(24, kLoadNear))), 20, 24);
  expect_race(only_finding(run_warps(at(20, kStoreOwn) + at(24, load_neighbour))), 20, 24);
}

TEST(PartialBarrier, ABarrierOfTheBlockAfterItOrdersAll) {
  expect_clean(
      run_warps(at(20, kStoreOwn) + kHalvesMeet + "bar.sync 0;" + at(24, kLoadFar) + kLoadNear));
  expect_clean(run_warps(at(20, kStoreOwn) + kHalvesMeet + "bar.sync 0, 128;" + at(24, kLoadFar)));
}

TEST(PartialBarrier, OrdersGlobalMemoryToo) {
  const auto exchange = [](int distance) {
    PtxProgram program = warps_program(
        fmt::format("xor.b32 %r2, %t, {}; mad.wide.u32 %rd0, %r2, 4, %data;", distance) +
        at(20, "st.global.u32 [%data_at], %t;") + kHalvesMeet +
        at(24, "ld.global.u32 %r3, [%rd0]; st.global.u32 [%out_at], %r3;"));
    program.buffer("data", std::vector<std::uint32_t>(128, 0));
    program.buffer("out", std::vector<std::uint32_t>(128, 0));
    return program.run();
  };
  expect_clean(exchange(32));
  expect_race(only_finding(exchange(64)), 20, 24);
}

TEST(PartialBarrier, ChainsWithAnotherBarrier) {
  // Warps 0 and 1 meet at barrier 1, then warps 1 and 2 at barrier 2. What warp 0 wrote before
  // barrier 1 is ordered before what warp 2 does after barrier 2; what warp 0 wrote after barrier 1
  // is not.
  const auto chain = [](const std::string& before, const std::string& between) {
    return run_warps(before +
                     "setp.ge.u32 %p1, %t, 64; @%p1 bra SECOND; bar.sync 1, 64; SECOND:" + between +
                     "setp.lt.u32 %p1, %t, 32; @%p1 bra LAST; setp.ge.u32 %p1, %t, 96; @%p1 bra "
                     "LAST; bar.sync 2, 64; LAST:" +
                     at(24, thread_only(70, "ld.shared.u32 %r1, [tile+40];")));
  };
  const std::string store = at(20, thread_only(3, "st.shared.u32 [tile+40], 7;"));
  expect_clean(chain(store, ""));
  expect_race(only_finding(chain("", store)), 20, 24);
}

/// One of warps 0 and 1 runs `producer`, the other runs `consumer`, then all warps meet; %near is a
/// word of the other warp. `more`: the block has a third warp, which waits for both.
struct Pair {
  bool producer_is_first = false;
  bool more = true;

  RunResult run(const std::string& producer, const std::string& consumer) const {
    return run_warps(fmt::format("setp.ge.u32 %p1, %t, 64; @%p1 bra END; setp.lt.u32 %p1, %t, 32; "
                                 "@{}%p1 bra CONSUMER;\n",
                                 producer_is_first ? "!" : "") +
                         producer + "bra END;\nCONSUMER:" + consumer + "END: bar.sync 0;",
                     more ? 96 : 64);
  }
};

constexpr Pair kPairOfThree[] = {{false, true}, {true, true}};
constexpr Pair kPairAlone[] = {{false, false}, {true, false}};

TEST(ArriveAndSync, OrdersTheProducerBeforeTheConsumer) {
  for (const Pair* pairs : {kPairOfThree, kPairAlone}) {
    for (const Pair& pair : {pairs[0], pairs[1]}) {
      expect_clean(
          pair.run(at(20, kStoreOwn) + "bar.arrive 1, 64;", "bar.sync 1, 64;" + at(24, kLoadNear)));
      expect_clean(
          pair.run(at(20, kLoadNear) + "bar.arrive 1, 64;", "bar.sync 1, 64;" + at(24, kStoreOwn)));
    }
  }
}

/// Expects races where bar.arrive does not order: the producer's accesses after its arrival, and
/// the consumer's accesses before the barrier, as the producer did not wait for them.
void expect_one_way(const Pair& pair) {
  expect_race(only_finding(pair.run("bar.arrive 1, 64;" + at(20, kStoreOwn),
                                    "bar.sync 1, 64;" + at(24, kLoadNear))),
              20, 24);
  expect_race(only_finding(pair.run("bar.arrive 1, 64;" + at(20, kLoadNear),
                                    at(24, kStoreOwn) + "bar.sync 1, 64;")),
              20, 24);
  expect_race(only_finding(pair.run("bar.arrive 1, 64;" + at(20, kStoreOwn),
                                    at(24, kLoadNear) + "bar.sync 1, 64;")),
              20, 24);
}

TEST(ArriveAndSync, OrdersNothingElseInAPartOfTheBlock) {
  for (const Pair& pair : kPairOfThree) expect_one_way(pair);
}

TEST(ArriveAndSync, OrdersNothingElseInTheWholeBlock) {
  for (const Pair& pair : kPairAlone) expect_one_way(pair);
}

/// The producer fills its words and the consumer reads them, 5 times. Barrier 1 means that they are
/// full, barrier 2 that they are empty; `drain` is what the consumer does in each iteration.
RunResult handover(const Pair& pair, const std::string& drain) {
  const auto loop = [](const std::string& name, const std::string& pass) {
    return fmt::format(
        "mov.u32 %r5, 0; {0}: {1} add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 5; @%p0 bra {0};\n",
        name, pass);
  };
  return pair.run(
      loop("FILL", "bar.sync 2, 64;" + at(20, kStoreOwn) + "bar.arrive 1, 64;") + "bar.sync 2, 64;",
      "bar.arrive 2, 64;" + loop("DRAIN", drain));
}

TEST(ArriveAndSync, PassABufferInBothDirections) {
  for (const Pair* pairs : {kPairOfThree, kPairAlone}) {
    for (const Pair& pair : {pairs[0], pairs[1]})
      expect_clean(handover(pair, "bar.sync 1, 64;" + at(24, kLoadNear) + "bar.arrive 2, 64;"));
  }
}

TEST(ArriveAndSync, ABufferThatIsReturnedBeforeItIsReadRaces) {
  for (const Pair& pair : kPairOfThree) {
    expect_race(
        only_finding(handover(pair, "bar.sync 1, 64; bar.arrive 2, 64;" + at(24, kLoadNear))), 20,
        24);
  }
}

TEST(ArriveAndSync, AWarpThatHasEndedDoesNotMakeThemTheWholeBlock) {
  // Warp 2 ends; then warp 0 stores and waits, and warp 1 arrives and reads.
  expect_race(only_finding(run_warps("setp.ge.u32 %p1, %t, 64; @%p1 bra END; setp.lt.u32 %p1, %t, "
                                     "32; @%p1 bra CONSUMER; bar.arrive 1, 64;" +
                                         at(20, kLoadNear) + "bra END; CONSUMER:" +
                                         at(24, kStoreOwn) + "bar.sync 1, 64; END:",
                                     96)),
              20, 24);
}

/// Warps 0 and 1 run `first`, warps 2 and 3 `second`; the block has 128 threads.
RunResult run_halves(const std::string& first, const std::string& second) {
  return run_warps("setp.ge.u32 %p1, %t, 64; @%p1 bra SECOND;\n" + first +
                   "bra END;\nSECOND:" + second + "END:");
}

TEST(BarrierOfAllThreads, MayStandInTwoPlaces) {
  expect_clean(
      run_halves(at(20, kStoreOwn) + "bar.sync 1, 128;", "bar.sync 1, 128;" + at(24, kLoadFar)));
  expect_clean(run_halves(at(20, kLoadFar) + "mov.u32 %r5, 128; bar.sync 1, %r5;",
                          "bar.sync 1, 128;" + at(24, kStoreOwn)));
  expect_race(only_finding(run_halves(at(20, kStoreOwn) + "bar.sync 1, 128;",
                                      at(24, kLoadFar) + "bar.sync 1, 128;")),
              20, 24);
}

TEST(BarrierOfAllThreads, OrdersWhatTheThreadsDidThatWait) {
  // Warps 0 and 1 do not wait for what warps 2 and 3 do before they meet.
  const std::string arrive = at(20, kLoadFar) + "bar.arrive 1, 128;";
  expect_clean(run_halves(arrive, "bar.sync 1, 128;" + at(24, kStoreOwn)));
  expect_race(only_finding(run_halves("bar.arrive 1, 128;" + at(20, kLoadFar),
                                      at(24, kStoreOwn) + "bar.sync 1, 128;")),
              20, 24);
}

TEST(BarrierWithANumber, CountsAWarpWhoseLanesArriveOneByOneAndEnd) {
  // The last of them to arrive is all that is left of its warp.
  PtxProgram program = warps_program(
      "setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUMER; atom.shared.add.u32 %r9, [%at], 1;"
      "bar.arrive 1, 64; bar.arrive 2, 64; exit; CONSUMER: bar.sync 1, 64; bar.sync 2, 64;",
      64);
  for (const Turns turns : {Turns::usual, Turns::lanes, Turns::rising_lanes}) {
    program.turns = turns;
    EXPECT_EQ(program.run().status, RunStatus::completed);
  }
}

}  // namespace
}  // namespace tessera::test
