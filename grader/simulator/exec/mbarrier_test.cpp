// Barriers in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions:
// mbarrier").
#include "grader/simulator/exec/mbarriers.h"
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

/// A kernel around `body`: %t holds the thread's number, %bar the address of an mbarrier, %at the
/// address of its word of `tile`, %far that of a thread of the other warp, %in_at that of its word
/// of the input, which holds 100, 101, ...; %s is for tokens.
PtxProgram mbarrier_program(const std::string& body, std::uint32_t threads = 64) {
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[1024]; .shared .align 8 .b8 bar[16];
    .reg .b32 %t, %tile, %at, %far, %bar; .reg .b64 %s;
    mov.u32 %t, %tid.x; mov.u32 %tile, tile; mad.lo.u32 %at, %t, 4, %tile; mov.u32 %bar, bar;
    xor.b32 %far, %t, 32; mad.lo.u32 %far, %far, 4, %tile;)" +
                     body);
  std::vector<std::uint32_t> input(1024);
  for (std::uint32_t i = 0; i < 1024; ++i) input[i] = 100 + i;
  program.buffer("in", input).buffer("out", std::vector<std::uint32_t>(1024));
  program.shape.block = {threads, 1, 1};
  return program;
}

std::string initialised(int count) {
  return thread_only(0, fmt::format("mbarrier.init.shared.b64 [%bar], {};", count)) +
         "bar.sync 0;\n";
}

/// A loop until the wait is over; its operands after the address are `phase`.
std::string wait(const std::string& phase, const std::string& words = "") {
  static int loops = 0;
  const std::string label = fmt::format("WAIT{}", loops++);
  return fmt::format("{0}: mbarrier.test_wait{1}.shared.b64 %p0, [%bar], {2}; @!%p0 bra {0};\n",
                     label, words, phase);
}

const std::string kArrive = "mbarrier.arrive.shared.b64 %s, [%bar];\n";
const std::string kNoToken = "mbarrier.arrive.shared.b64 _, [%bar];\n";
const std::string kStoreOwnWord = "st.shared.u32 [%at], %t;\n";
const std::string kLoadFarWord = "ld.shared.u32 %r0, [%far];\n";
const std::string kOut = "st.global.u32 [%out_at], %r0;\n";
const std::string kCopy = "cp.async.ca.shared.global [%at], [%in_at], 4;\n";

RunResult run(const std::string& body, std::uint32_t threads = 64) {
  return mbarrier_program(body, threads).run();
}

/// What each thread stores; the run must be clean.
std::vector<std::uint32_t> stored(const std::string& body, std::uint32_t threads = 64) {
  PtxProgram program = mbarrier_program(body, threads);
  expect_clean(program.run());
  std::vector<std::uint32_t> all = program.contents<std::uint32_t>("out");
  all.resize(threads);
  return all;
}

void expect_trap(const std::string& body, const std::string& message) {
  const Finding finding = only_finding(run(body));
  EXPECT_EQ(finding.kind, FindingKind::trap);
  EXPECT_THAT(finding.message.str(), HasSubstr(message));
}

TEST(Mbarrier, OrdersWhatThreadsDidBeforeTheyArrived) {
  const std::vector<std::uint32_t> all =
      stored(initialised(64) + kStoreOwnWord + kArrive + wait("%s") + kLoadFarWord + kOut);
  EXPECT_EQ(all[0], 32u);
  EXPECT_EQ(all[63], 31u);
}

TEST(Mbarrier, OrdersNothingWithoutTheWait) {
  expect_race(
      only_finding(run(initialised(64) + at(10, kStoreOwnWord) + kArrive + at(11, kLoadFarWord))),
      10, 11);
}

TEST(Mbarrier, OrdersNothingIfTheWaitHasFailed) {
  expect_race(
      only_finding(run(initialised(64) + at(10, kStoreOwnWord) + kArrive +
                       "mbarrier.test_wait.shared.b64 %p0, [%bar], %s;\n" + at(11, kLoadFarWord))),
      10, 11);
}

TEST(Mbarrier, OrdersNothingThatFollowsTheArrival) {
  expect_race(only_finding(run(initialised(64) + kArrive + at(10, kStoreOwnWord) + wait("%s") +
                               at(11, kLoadFarWord))),
              10, 11);
}

TEST(Mbarrier, OrdersNothingIfRelaxed) {
  const std::string relaxed = "mbarrier.arrive.relaxed.cta.shared::cta.b64 %s, [%bar];\n";
  expect_race(only_finding(run(initialised(64) + at(10, kStoreOwnWord) + relaxed + wait("%s") +
                               at(11, kLoadFarWord))),
              10, 11);
  expect_race(only_finding(run(initialised(64) + at(10, kStoreOwnWord) + kArrive +
                               wait("%s", ".relaxed.cta") + at(11, kLoadFarWord))),
              10, 11);
}

TEST(Mbarrier, ARelaxedArrivalAndWaitOrderWhatFencesOrder) {
  const std::string arrive = "mbarrier.arrive.relaxed.cta.shared::cta.b64 %s, [%bar];\n";
  const std::string fence = "fence.acq_rel.cta;\n";
  EXPECT_EQ(stored(initialised(64) + kStoreOwnWord + fence + arrive + wait("%s", ".relaxed.cta") +
                   fence + kLoadFarWord + kOut)[0],
            32u);
  expect_race(only_finding(run(initialised(64) + at(10, kStoreOwnWord) + fence + arrive +
                               wait("%s", ".relaxed.cta") + at(11, kLoadFarWord) + fence)),
              10, 11);
}

TEST(Mbarrier, HasOnePhaseAfterTheOther) {
  // Stores, meets, loads; then the other half's words change, for which they must meet again.
  const std::string add = "add.u32 %r1, %t, 1000; st.shared.u32 [%at], %r1;\n";
  EXPECT_EQ(stored(initialised(64) + kStoreOwnWord + kNoToken + wait("0", ".parity") +
                   kLoadFarWord + kNoToken + wait("1", ".parity") + add + kNoToken +
                   wait("0", ".parity") + kLoadFarWord + kOut)[3],
            1035u);
  expect_race(only_finding(run(initialised(64) + kStoreOwnWord + kNoToken + wait("0", ".parity") +
                               at(10, kLoadFarWord) + at(11, add))),
              10, 11);
}

TEST(Mbarrier, SomeThreadsMayOnlyArrive) {
  // The second warp stores and arrives, the first one waits.
  const std::string body = initialised(32) + "setp.ge.u32 %p1, %t, 32; @%p1 bra MAKES;\n" +
                           wait("0", ".parity") + at(11, kLoadFarWord) + kOut + "bra DONE;\n" +
                           "MAKES:" + at(10, kStoreOwnWord) + "{}\n DONE:\n";
  EXPECT_EQ(stored(fmt::format(fmt::runtime(body), kNoToken))[5], 37u);
  const std::string early = initialised(32) + "setp.ge.u32 %p1, %t, 32; @%p1 bra MAKES;\n" +
                            wait("0", ".parity") + at(11, kLoadFarWord) + kOut + "bra DONE;\n" +
                            "MAKES:" + kNoToken + at(10, kStoreOwnWord) + "DONE:\n";
  expect_race(only_finding(run(early)), 10, 11);
}

TEST(Mbarrier, OneArrivalMayCountForMany) {
  const std::string arrive =
      thread_only(0, "mbarrier.arrive.release.cta.shared::cta.b64 _, [%bar], 7;");
  EXPECT_EQ(stored(initialised(7) + arrive + wait("0", ".parity") + "mov.u32 %r0, 5;\n" + kOut)[9],
            5u);
}

TEST(Mbarrier, AThreadThatDropsIsNotExpectedAgain) {
  const std::string leave = "mbarrier.arrive_drop.shared.b64 _, [%bar];\n";
  const std::string second_warp = "setp.ge.u32 %p1, %t, 32; @%p1 bra LEAVE;\n";
  EXPECT_EQ(stored(initialised(64) + second_warp + kNoToken + wait("0", ".parity") + kNoToken +
                   wait("1", ".parity") + "mov.u32 %r0, 5;\n" + kOut +
                   "bra DONE;\n LEAVE:" + leave + "DONE:\n")[3],
            5u);
  // All leave, and then some still look.
  stored(initialised(64) + leave + wait("0", ".parity"));
}

TEST(Mbarrier, APhaseMayWaitForBytes) {
  const std::string expect =
      thread_only(0, "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%bar], 24;");
  const std::string complete =
      thread_only(33, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%bar], 24;");
  stored(initialised(1) + expect + complete + wait("0", ".parity"));
  const Finding finding = only_finding(run(initialised(1) + expect + wait("0", ".parity")));
  EXPECT_EQ(finding.kind, FindingKind::barrier_deadlock);
  expect_trap(initialised(1) + thread_only(0,
                                           "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 "
                                           "[%bar], 1048576;"),
              "more than 1048575 bytes");
}

TEST(Mbarrier, ATokenKnowsHowManyArrivalsWerePending) {
  EXPECT_EQ(stored(initialised(64) + kArrive + "mbarrier.pending_count.b64 %r0, %s;\n" +
                   wait("%s") + kOut)[3],
            61u);
}

TEST(Mbarrier, MayHaveAGenericAddress) {
  const std::string generic = "cvta.shared.u64 %rd0, bar;\n";
  const std::string arrive = "mbarrier.arrive.b64 %s, [%rd0];\n";
  stored(initialised(64) + generic + arrive + wait("%s"));
  const Finding finding =
      only_finding(run("mov.u64 %rd0, %out_at;\n mbarrier.inval.b64 [%rd0];\n", 1));
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
}

TEST(Mbarrier, MustBeInitialisedForAllBeforeItIsUsed) {
  for (const std::string& use : {kArrive, wait("0", ".parity")}) {
    const Finding unwritten = only_finding(run(use));
    EXPECT_EQ(unwritten.kind, FindingKind::uninitialized_read);
    EXPECT_EQ(unwritten.message.str(), "there is no mbarrier at this address");
  }
  const Finding early = only_finding(
      run(at(10, thread_only(0, "mbarrier.init.shared.b64 [%bar], 64;")) + at(11, kArrive)));
  expect_race(early, 10, 11);
  expect_trap(thread_only(0, "st.shared.u64 [%bar], 0;") + "bar.sync 0;\n" + kArrive,
              "there is no mbarrier at this address");
  expect_trap(initialised(64) + thread_only(0, "mbarrier.inval.shared.b64 [%bar];") +
                  "bar.sync 0;\n" + kArrive,
              "there is no mbarrier");
  expect_trap("mbarrier.init.shared.b64 [%bar], 0;\n", "for 0 arrivals, where 1 to 1048575");
}

TEST(Mbarrier, TakesNoMoreArrivalsThanItExpects) {
  expect_trap(initialised(64) + "mbarrier.arrive.shared.b64 %s, [%bar], 3;\n",
              "arrives 3 times where the mbarrier's phase waits for 1 arrival");
}

TEST(Mbarrier, AnArrivalThatMustNotCompleteThePhaseDoesNot) {
  const std::string arrive =
      "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %s, [%bar], 1;\n";
  stored(initialised(65) + arrive);
  expect_trap(initialised(64) + arrive, "completes the phase of an mbarrier with .noComplete");
}

TEST(Mbarrier, ThreadsThatWaitForEverAreADeadlock) {
  const Finding finding = only_finding(run(initialised(66) + kArrive + at(12, wait("%s"))));
  EXPECT_EQ(finding.kind, FindingKind::barrier_deadlock);
  EXPECT_EQ(finding.line, 12);
  EXPECT_EQ(finding.message.str(),
            "64 threads wait for ever: some wait at line 12 for 2 arrivals more at an mbarrier");
  EXPECT_THAT(finding.hint.str(), HasSubstr("as its initialisation says"));
}

TEST(Mbarrier, AWaitMayAlsoGiveUp) {
  // A thread that polls does the work that completes the phase, after some looks.
  const std::string body =
      initialised(1) +
      "mov.u32 %r1, 0; POLL: mbarrier.test_wait.parity.shared.b64 %p0, [%bar], 0; @%p0 bra DONE;"
      "add.u32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 100; @!%p1 bra POLL;" +
      kNoToken + "bra POLL; DONE: mov.u32 %r0, %r1;\n" + kOut;
  EXPECT_EQ(stored(body, 1)[0], 100u);
}

TEST(Mbarrier, WaitsForCopies) {
  const std::string arrival = "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n";
  EXPECT_EQ(
      stored(initialised(64) + kCopy + arrival + wait("0", ".parity") + kLoadFarWord + kOut)[0],
      132u);
  // Without .noinc the arrival comes on top of those that the barrier expects.
  EXPECT_EQ(stored(initialised(64) + kCopy + "cp.async.mbarrier.arrive.shared.b64 [%bar];\n" +
                   kArrive + wait("%s") + kLoadFarWord + kOut)[33],
            101u);
}

TEST(Mbarrier, MayBeInvalidatedByTheThreadThatHasWaitedForAllCopies) {
  expect_clean(run(initialised(64) + kCopy + "cp.async.mbarrier.arrive.shared.b64 [%bar];\n" +
                   kArrive + "setp.ne.u32 %p2, %t, 0; @%p2 bra REST;" + wait("%s") +
                   "mbarrier.inval.shared.b64 [%bar]; REST:\n"));
}

TEST(Mbarrier, ACopyIsOnItsWayUntilThePhaseIsComplete) {
  const std::string arrival = "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n";
  const Finding own = only_finding(run(initialised(64) + at(10, kCopy) + arrival +
                                       at(11, "ld.shared.u32 %r0, [%at];") + wait("0", ".parity")));
  EXPECT_EQ(own.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(own.line, 11);
  EXPECT_THAT(own.hint.str(), HasSubstr("wait for that phase first"));
  expect_race(only_finding(run(initialised(64) + at(10, kCopy) + arrival + at(11, kLoadFarWord) +
                               wait("0", ".parity"))),
              10, 11);
  // A copy that begins after the arrival does not belong to it.
  const Finding late =
      only_finding(run(initialised(64) + arrival + at(10, kCopy) + wait("0", ".parity") +
                       at(11, "ld.shared.u32 %r0, [%at];") + "cp.async.wait_all;\n"));
  EXPECT_EQ(late.kind, FindingKind::unfinished_copy);
  EXPECT_EQ(late.line, 11);
}

TEST(Mbarrier, CopiesOfAnEndedWarpArriveToo) {
  // The second warp copies and ends; what the first one notes has its lines in the function that
  // copies.
  const std::string copy =
      ".func copies(.param .b32 pto, .param .b64 pfrom, .param .b32 pbar) {\n"
      ".reg .b32 %a, %b; .reg .b64 %f; ld.param.u32 %a, [pto]; ld.param.u64 %f, [pfrom];"
      "ld.param.u32 %b, [pbar]; cp.async.ca.shared.global [%a], [%f], 4;"
      "cp.async.mbarrier.arrive.noinc.shared.b64 [%b]; ret;\n}\n";
  const std::string call =
      "{ .param .b32 x; .param .b64 y; .param .b32 z; st.param.b32 [x], %at;"
      "st.param.b64 [y], %in_at; st.param.b32 [z], %bar; call.uni copies, (x, y, z); }\n";
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[1024]; .shared .align 8 .b8 bar[16];
    .reg .b32 %t, %tile, %at, %far, %bar;
    mov.u32 %t, %tid.x; mov.u32 %tile, tile; mad.lo.u32 %at, %t, 4, %tile; mov.u32 %bar, bar;
    xor.b32 %far, %t, 32; mad.lo.u32 %far, %far, 4, %tile;)" +
                         initialised(32) + "setp.ge.u32 %p1, %t, 32; @%p1 bra MAKES;\n" +
                         wait("0", ".parity") + kLoadFarWord + kOut + "bra DONE;\n MAKES:" + call +
                         "DONE:\n",
                     copy);
  std::vector<std::uint32_t> input(1024);
  for (std::uint32_t i = 0; i < 1024; ++i) input[i] = 100 + i;
  program.buffer("in", input).buffer("out", std::vector<std::uint32_t>(1024));
  program.shape.block = {64, 1, 1};
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out")[4], 136u);
}

double load_use_distance(const std::string& body, std::uint32_t threads) {
  PtxProgram program = mbarrier_program(body, threads);
  program.load_use = true;
  const RunResult result = program.run();
  expect_clean(result);
  return result.metrics.at(Metric::load_use_distance);
}

TEST(Mbarrier, CopiesAreNeededWhereItIsWaitedFor) {
  const std::string arrive = "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n";
  const std::string work =
      "mov.f32 %f0, 0f00000000; add.f32 %f0, %f0, %f0; add.f32 %f0, %f0, %f0; "
      "mul.f32 %f0, %f0, %f0;\n";
  EXPECT_EQ(load_use_distance(initialised(32) + kCopy + arrive + wait("0", ".parity") + work, 32),
            0);
  EXPECT_EQ(load_use_distance(initialised(32) + kCopy + arrive + work + wait("0", ".parity"), 32),
            3);
  // One warp copies and does nothing else; the other waits after its work.
  EXPECT_EQ(load_use_distance(initialised(32) + "setp.ge.u32 %p1, %t, 32; @%p1 bra COMPUTES;\n" +
                                  kCopy + arrive + "bra END; COMPUTES:\n" + work + work +
                                  wait("0", ".parity") + "END:\n",
                              64),
            6);
  // The same, but the copy waits until the other has done a part of its work.
  const std::string again = "mbarrier.init.shared.b64 [%bar + 8], 32;\n";
  EXPECT_EQ(load_use_distance(
                initialised(32) + "setp.eq.u32 %p1, %t, 0; @%p1 " + again + "bar.sync 0;" +
                    "setp.ge.u32 %p1, %t, 32; @%p1 bra COMPUTES;\n" + "add.u32 %bar, %bar, 8;" +
                    wait("0", ".parity") + "sub.u32 %bar, %bar, 8;" + kCopy + arrive +
                    "bra END; COMPUTES:\n" + work + "mbarrier.arrive.shared.b64 %rd0, [%bar + 8];" +
                    work + work + work + wait("0", ".parity") + "END:\n",
                64),
            9);
}

TEST(Mbarrier, AModelledBlockWaitsForWhatArrives) {
  std::string work = "mov.f32 %f0, 0f00000000;";
  for (int i = 0; i < 100; ++i) work += "add.f32 %f0, %f0, %f0;";
  const std::string half = "setp.ge.u32 %p1, %t, 32; @%p1 bra OTHER;\n";
  const auto modelled = [&](const std::string& code) {
    const auto counters = mbarrier_program(code).sample();
    return counters ? counters->wait.from_l2 : -1;
  };
  const std::string copy = kCopy + "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n";
  const double alone = modelled(initialised(64) + work);
  const double after = modelled(initialised(64) + copy + wait("0", ".parity") + work);
  const double during = modelled(initialised(64) + copy + work + wait("0", ".parity"));
  EXPECT_GT(after, alone + 400);
  EXPECT_LT(during, after - 300);
  EXPECT_GT(during, alone);
  // One warp waits for the other's arrival, and then does as much itself.
  const double one_by_one = modelled(initialised(32) + half + work + kNoToken +
                                     "bra END; OTHER:\n" + wait("0", ".parity") + work + "END:\n");
  const double together = modelled(initialised(32) + half + work + kNoToken + "bra END; OTHER:\n" +
                                   work + wait("0", ".parity") + "END:\n");
  EXPECT_GT(one_by_one, together + 350);
}

TEST(Mbarrier, AnArrivalOfCopiesThatIsOneTooManyEndsTheLaunch) {
  const Finding finding = only_finding(
      run(initialised(1) + kCopy + "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n" +
              "mbarrier.arrive_drop.shared.b64 _, [%bar];\n" + wait("1", ".parity"),
          1));
  EXPECT_EQ(finding.kind, FindingKind::trap);
  EXPECT_THAT(finding.message.str(), HasSubstr("phase waits for 0 arrivals"));
}

TEST(Mbarrier, TheStateKeepsItsNumbers) {
  using sim::Mbarrier;
  const Mbarrier state{
      .pending = 12, .expected = Mbarrier::kMost, .bytes = -5, .odd = true, .valid = true};
  const Mbarrier back = Mbarrier::from(state.bits());
  EXPECT_EQ(back.pending, 12u);
  EXPECT_EQ(back.expected, Mbarrier::kMost);
  EXPECT_EQ(back.bytes, -5);
  EXPECT_TRUE(back.odd);
  EXPECT_TRUE(back.valid);
  EXPECT_FALSE(Mbarrier::from(0).valid);
}

TEST(Mbarrier, PtxThatPtxasRefusesDoesNotLoad) {
  const auto refused = [](const std::string& code) {
    const auto module = load_module(mbarrier_program(code).text());
    return module ? std::string() : module.error().message;
  };
  for (const char* code : {"mbarrier.init.shared.b32 [%bar], 1;",
                           "mbarrier.init.shared.b64 [%bar];", "mbarrier.init.shared.b64 %s, 1;"}) {
    EXPECT_NE(refused(code), "") << code;
  }
}

}  // namespace
}  // namespace tessera::test
