// Elements that a compiler loads before it is known whether the program reads them.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

/// Runs 64 threads. Threads below 8 store their words of `tile`, then all load word 40 in line 42.
/// %many is true in no thread, %some in threads 40 to 63, %few in threads from 60 on.
RunResult run_late(const std::string& body,
                   const std::string& load = "ld.shared.u32 %v0, [tile+160];") {
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[256]; .reg .b32 %t, %at, %base, %v<9>; .reg .pred %many, %some, %few, %c<4>;
    mov.u32 %t, %tid.x; mov.u32 %at, tile; mad.lo.u32 %at, %t, 4, %at;
    setp.lt.u32 %p0, %t, 8; @%p0 st.shared.u32 [%at], %t; bar.sync 0;
    setp.ge.u32 %some, %t, 40; setp.ge.u32 %few, %t, 60; setp.gt.u32 %many, %t, 99;
    mov.u32 %v5, %t; mov.u32 %base, tile;)" +
                     at(42, load) + body + "\nst.global.u32 [%out_at], %v1;");
  program.shape.block = {64, 1, 1};
  program.buffer("out", std::vector<std::uint32_t>(64, 0));
  return program.run();
}

void expect_read(const RunResult& result, std::uint64_t threads) {
  const Finding finding = only_finding(result);
  EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::uninitialized_read));
  EXPECT_EQ(finding.line, 42);
  EXPECT_EQ(finding.count, threads);
}

TEST(LateChecks, AnElementIsReadIfASelectionTakesIt) {
  expect_clean(run_late("selp.u32 %v1, %v0, 0, %many;"));
  expect_read(run_late("selp.u32 %v1, %v0, 0, %some;"), 24);
  expect_read(run_late("selp.u32 %v1, 0, %v0, %some;"), 40);
  expect_read(run_late("selp.u32 %v1, 0, 1, %some; add.u32 %v2, %v0, 1; mov.u32 %v1, %v2;"), 64);
}

TEST(LateChecks, AValueComputedFromItMayBeSelected) {
  const std::string product = "mad.lo.u32 %v2, %v0, 5, %t; cvt.rn.f32.u32 %f0, %v2; ";
  expect_clean(run_late(product + "selp.f32 %f1, %f0, 0f00000000, %many; mov.b32 %v1, %f1;"));
  expect_read(run_late(product + "selp.f32 %f1, %f0, 0f00000000, %few; mov.b32 %v1, %f1;"), 4);
}

TEST(LateChecks, ALaterSelectionNarrowsAnEarlierOne) {
  expect_read(run_late("selp.u32 %v2, %v0, 1, %some; selp.u32 %v1, %v2, 2, %few;"), 4);
  expect_read(run_late("selp.u32 %v2, %v0, 1, %some; selp.u32 %v1, 2, %v2, %few;"), 20);
}

TEST(LateChecks, TwoSelectionsReadItIfEitherTakesIt) {
  const std::string two =
      "selp.u32 %v2, %v0, 1, %few; selp.u32 %v3, 1, %v0, %some; add.u32 %v1, %v2, %v3;";
  expect_read(run_late(two), 44);
}

TEST(LateChecks, AConditionMayDecideAlone) {
  const std::string compare = "setp.gt.u32 %c0, %v0, 3; ";
  expect_clean(run_late(compare + "and.pred %c1, %many, %c0; selp.u32 %v1, 7, 0, %c1;"));
  expect_read(run_late(compare + "and.pred %c1, %c0, %some; selp.u32 %v1, 7, 0, %c1;"), 24);
  expect_read(run_late(compare + "or.pred %c1, %c0, %some; selp.u32 %v1, 7, 0, %c1;"), 40);
  expect_read(run_late("setp.gt.and.u32 %c1, %v0, 3, %few; selp.u32 %v1, 7, 0, %c1;"), 4);
  expect_read(run_late("setp.gt.or.u32 %c1, %v0, 3, !%few; selp.u32 %v1, 7, 0, %c1;"), 4);
  expect_read(run_late(compare + "xor.pred %c1, %c0, %many; selp.u32 %v1, 7, 0, %c1;"), 64);
}

TEST(LateChecks, OfTwoLoadedConditionsTheFirstIsAlwaysRead) {
  expect_read(run_late("setp.gt.u32 %c0, %v0, 3; ld.shared.u32 %v2, [tile]; setp.gt.u32 %c1, %v2, "
                       "3; and.pred %c2, %c0, %c1; selp.u32 %v1, 7, 0, %c2;"),
              64);
}

TEST(LateChecks, OtherUsesAlwaysReadIt) {
  const std::string select = "selp.u32 %v1, %v0, 0, %many; ";
  for (const char* use :
       {"st.global.u32 [%out_at], %v0;", "setp.eq.u32 %c0, %v0, 3; @%c0 bra DONE; DONE:",
        "shfl.sync.idx.b32 %v2, %v0, 0, 31, -1;", "@%few mov.u32 %v5, %v0;"})
    expect_read(run_late(select + use), 64);
}

TEST(LateChecks, AConditionThatIsKnownAfterAStoreComesTooLate) {
  const std::string store = "st.global.u32 [%out_at], %t; ";
  const std::string late = "add.u32 %v5, %v5, 0; setp.gt.u32 %c3, %v5, 98; ";
  expect_clean(run_late(store + "selp.u32 %v1, %v0, 0, %many;"));
  expect_read(run_late(store + late + "selp.u32 %v1, %v0, 0, %c3;"), 64);
  expect_read(
      run_late("selp.u32 %v2, %v0, 1, %some; " + store + late + "selp.u32 %v1, %v2, 0, %c3;"), 24);
  const std::string load = "ld.shared.u32 %v0, [%base+160];";
  const std::string moved = "add.u32 %base, %base, 4; ";
  expect_clean(run_late(moved + "selp.u32 %v1, %v0, 0, %many;", load));
  expect_read(run_late(moved + late + "selp.u32 %v1, %v0, 0, %c3;", load), 64);
}

TEST(LateChecks, AStoreBeforeALaterBlockHidesNothing) {
  const auto run = [](const std::string& store) {
    return run_late(store +
                        "add.u32 %v5, %v5, 0; bra NEXT; NEXT: setp.ge.u32 %c3, %v5, 41; "
                        "selp.u32 %v1, %v0, 0, %c3;",
                    "mov.u32 %v6, %at; ld.shared.u32 %v0, [%v6];");
  };
  expect_read(run("st.shared.u32 [%at], 0;"), 56);
  expect_read(run("st.global.u32 [%out_at], 0;"), 23);
}

TEST(LateChecks, ALaterBlockTakesIt) {
  const std::string take = "selp.u32 %v1, %v0, 0, ";
  expect_clean(run_late("bra NEXT; NEXT: " + take + "%many;"));
  expect_read(run_late("bra NEXT; NEXT: " + take + "%some;"), 24);
  // Two blocks use it, of which each thread runs one.
  const std::string two = "@%few bra FEW; " + take + "%some; bra NEXT; FEW: " + take;
  expect_read(run_late(two + "%many; NEXT:"), 20);
  expect_read(run_late(two + "%some; NEXT:"), 24);
  for (const char* to : {"%v0", "%v2"}) {
    expect_read(run_late(fmt::format("mad.lo.u32 {}, %v0, 5, %t; bra NEXT; NEXT: selp.u32 %v1, {}, "
                                     "0, %some;",
                                     to, to)),
                24);
  }
}

TEST(LateChecks, EachIterationOfALoopMayTakeIt) {
  const std::string loop =
      "mov.u32 %v1, 0; mov.u32 %v2, 0; LOOP: setp.eq.u32 %c0, %v2, %t; selp.u32 %v3, %v0, 1, %c0; "
      "add.u32 %v1, %v1, %v3; st.global.u32 [%out_at], %v1; add.u32 %v2, %v2, 1; "
      "setp.lt.u32 %c1, %v2, 40; ";
  expect_read(run_late(loop + "@%c1 bra LOOP;"), 40);
  expect_read(run_late(loop + "bar.sync 0; @%c1 bra LOOP;"), 64);
}

TEST(LateChecks, APathThatCopiesItReadsIt) {
  const std::string copied = "mov.u32 %v1, %v0; @%some bra DONE; mov.u32 %v1, 7; DONE:";
  expect_read(run_late(copied), 24);
  expect_read(run_late("bra NEXT; NEXT: " + copied), 24);
  expect_read(run_late("mov.u32 %v1, %v0; @!%some bra DONE; mov.u32 %v1, 7; DONE:"), 40);
  expect_read(run_late("mov.u32 %v1, %v0; @%some bra DONE; @%few mov.u32 %v1, 7; DONE:"), 64);
}

TEST(LateChecks, ABlockUnderABranchReadsIt) {
  const auto where = [](const std::string& taken, const std::string& body) {
    return run_late("mov.u32 %v1, 7; @!" + taken + " bra DONE; " + body + " DONE:");
  };
  for (const char* body :
       {"st.global.u32 [%out_at], %v0;", "mov.u32 %v1, %v0;", "membar.cta; mov.u32 %v1, %v0;",
        "setp.eq.u32 %c0, %v0, 3; @%c0 bra DONE; mov.u32 %v1, 8;",
        "LOOP: add.u32 %v1, %v1, 1; setp.lt.u32 %c0, %v0, %v1; @%c0 bra LOOP;",
        "@%few bra FEW; mov.u32 %v1, %v0; bra DONE; FEW: st.global.u32 [%out_at], %v0;"}) {
    expect_clean(where("%many", body));
    expect_read(where("%some", body), 24);
  }
  // The condition is known only after the fence.
  expect_read(run_late("mov.u32 %v1, 7; membar.cta; add.u32 %v5, %v5, 0; "
                       "setp.gt.u32 %c3, %v5, 98; @!%c3 bra DONE; mov.u32 %v1, %v0; DONE:"),
              64);
}

TEST(LateChecks, AConditionIsKnownByAnEqualOne) {
  const auto after_fence = [](const std::string& condition) {
    return run_late("mov.u32 %v1, 7; membar.cta; " + condition +
                    "@!%c3 bra DONE; mov.u32 %v1, %v0; DONE:");
  };
  expect_clean(after_fence("setp.gt.u32 %c3, %t, 99; "));
  expect_clean(after_fence("setp.le.u32 %c0, %t, 99; not.pred %c3, %c0; @%c0 bra DONE; "));
  expect_read(after_fence("setp.gt.u32 %c0, %t, 3; and.pred %c3, %some, %c0; "), 24);
  expect_read(after_fence("setp.gt.u32 %c0, %t, 3; or.pred %c3, %some, %c0; "), 64);
}

TEST(LateChecks, AThreadOnAnotherPathHasNotLoadedIt) {
  // Threads from 40 on load it; threads below 50 take the value that they have.
  const std::string load =
      "mov.u32 %v1, 7; @!%some bra NEXT; ld.shared.u32 %v0, [tile+160]; add.u32 %v1, %v0, 1; NEXT:";
  const std::string compare = "setp.lt.u32 %c3, %v5, 50; ";
  const std::string take = "selp.u32 %v1, %v1, 3, %c3;";
  expect_read(run_late("add.u32 %v5, %v5, 0; " + compare + take, load), 24);
  expect_read(run_late(compare + take, load), 10);
  expect_read(
      run_late("@!%few bra DONE; st.global.u32 [%out_at], %v1; DONE: mov.u32 %v1, 1;", load), 4);
}

TEST(LateChecks, ALoopsConditionKnownBeforeTheLoopCounts) {
  // A sum that the compiler keeps in a register, and that only few threads store.
  const auto run = [](const std::string& adds) {
    return run_late(
        "mov.u32 %v2, 0; bra LOOP; NEXT: add.u32 %v2, %v2, 1; setp.lt.u32 %c1, %v2, 5; "
        "@!%c1 bra DONE; LOOP: @!" +
        adds +
        " bra NEXT; add.u32 %v0, %v0, 1; st.shared.u32 [%at], %v0; bra NEXT; "
        "DONE: mov.u32 %v1, 1;");
  };
  expect_clean(run("%many"));
  expect_read(run("%few"), 4);
}

TEST(LateChecks, OfTwoConditionsTheOneDefinedFirstDecides) {
  const std::string next = "bra NEXT; NEXT: setp.gt.u32 %c0, %v0, 3; ";
  expect_clean(run_late(next + "and.pred %c1, %many, %c0; selp.u32 %v1, 7, 0, %c1;"));
  expect_read(run_late(next + "and.pred %c1, %c0, %some; selp.u32 %v1, 7, 0, %c1;"), 24);
  expect_read(run_late(next + "setp.eq.u32 %c3, %t, 99; and.pred %c1, %c0, %c3; "
                              "selp.u32 %v1, 7, 0, %c1;"),
              64);
}

TEST(LateChecks, IfThreadsMeetInBetweenOnlyConditionsKnownAtTheLoadCount) {
  for (const char* between : {"bar.sync 0;", "bar.warp.sync -1;", "membar.cta;"}) {
    const std::string next = std::string("bra NEXT; NEXT: ") + between;
    expect_clean(run_late(next + " selp.u32 %v1, %v0, 0, %many;"));
    expect_read(run_late(next + " selp.u32 %v1, %v0, 0, %some;"), 24);
    const std::string take = "setp.gt.u32 %c3, %v5, 98; selp.u32 %v1, %v0, 0, %c3;";
    expect_read(run_late(next + "add.u32 %v5, %v5, 0; " + take), 64);
    expect_clean(run_late(next + take));  // the registers are those of before
  }
}

TEST(LateChecks, AComparisonBehindABarrierCountsIfItsRegistersStayAsTheyAre) {
  const std::string take = "selp.u32 %v1, %v0, 0, %c3;";
  expect_read(run_late("bar.sync 0; setp.ge.u32 %c3, %v5, 40; " + take), 24);
  expect_read(run_late("bar.sync 0; @%few mov.u32 %v5, 0; setp.ge.u32 %c3, %v5, 40; " + take), 64);
  const auto run_loop = [&](const std::string& body) {
    return run_late(body + "@%c1 bra LOOP;",
                    "mov.u32 %v2, 0;\nLOOP: ld.shared.u32 %v0, [tile+160];");
  };
  const std::string compare = "setp.gt.u32 %c3, %v2, 0; ";
  const std::string count = "add.u32 %v2, %v2, 1; setp.lt.u32 %c1, %v2, 2; ";
  const auto reads_of = [](const RunResult& result) { return only_finding(result).count; };
  // In the second of two rounds.
  EXPECT_EQ(reads_of(run_loop("bar.sync 0; " + compare + take + count)), 64u);
  EXPECT_EQ(reads_of(run_loop("bar.sync 0; " + count + compare + take)), 128u);
  // What is loaded in one round is taken in the next one, where the count is another.
  EXPECT_EQ(reads_of(run_late("bar.sync 0; " + count + "@!%c1 bra DONE; bra LOOP; DONE:",
                              "mov.u32 %v2, 0; mov.u32 %v0, 0;\nLOOP: " + compare + take +
                                  "ld.shared.u32 %v0, [tile+160];")),
            128u);
}

TEST(LateChecks, EachPathToAValueHasItsOwnCondition) {
  // Threads from 40 on take 7 in place of the loaded value.
  const std::string choice = "mov.u32 %v2, 7; @%some bra NEXT; mov.u32 %v2, %v0; NEXT: ";
  expect_clean(run_late(choice + "bar.sync 0; selp.u32 %v1, %v2, 0, %few;"));
  expect_read(run_late(choice + "bar.sync 0; selp.u32 %v1, 0, %v2, %few;"), 40);
}

TEST(LateChecks, ConditionsAreJoinedIfBothSidesReadIt) {
  std::string body = "mov.u32 %v1, 0; ";
  for (int i = 0; i < 12; ++i) {
    body +=
        fmt::format(".reg .pred %k{0}; .reg .b32 %w{0}; setp.eq.u32 %k{0}, %t, {1}; ", i, i + 80);
    body += fmt::format("mad.lo.u32 %w{0}, %v0, {0}, %v1; selp.u32 %v1, %w{0}, %v1, %k{0}; ", i);
  }
  expect_clean(run_late(body));
}

TEST(LateChecks, EachElementOfAVectorHasItsOwnCondition) {
  const std::string load = "ld.shared.v2.u32 {%v0, %v2}, [tile+160];";
  const std::string few = "selp.u32 %v3, %v0, 0, %few; ";
  const std::string sum = "add.u32 %v1, %v3, %v4;";
  expect_read(run_late(few + "selp.u32 %v4, %v2, 0, %some;" + sum, load), 4 + 24);
  expect_read(run_late(few + "mov.u32 %v4, %v2;" + sum, load), 4 + 64);
  expect_read(run_late(few + "mov.u32 %v4, 1;" + sum, load), 4);
}

/// Thread t loads in[t], of 20 elements, in line 42; the first `taken` threads take it, the others
/// take 7.
PtxProgram program_of_20(int threads, int taken) {
  PtxProgram program(fmt::format(R"(
    .reg .b32 %t; .reg .pred %c;
    mov.u32 %t, %tid.x; setp.lt.u32 %c, %t, {};)",
                                 taken) +
                     at(42, "ld.global.u32 %r0, [%in_at];") +
                     at(43, "selp.b32 %r1, %r0, 7, %c; st.global.u32 [%out_at], %r1;"));
  program.shape.block = {static_cast<std::uint32_t>(threads), 1, 1};
  program.buffer("in", std::vector<std::uint32_t>(20, 1));
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  return program;
}

TEST(LateChecks, TheSelectedValueIsTheLoadedOne) {
  PtxProgram program = program_of_20(20, 5);
  expect_clean(program.run());
  const std::vector<std::uint32_t> out = program.contents<std::uint32_t>("out");
  EXPECT_EQ(out[4], 1u);
  EXPECT_EQ(out[5], 7u);
}

TEST(LateChecks, AnOutOfBoundsLoadIsReportedAtTheLoad) {
  for (const int taken : {0, 20, 24}) {
    const Finding finding = only_finding(program_of_20(24, taken).run());
    EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::out_of_bounds));
    EXPECT_EQ(finding.line, 42);
    EXPECT_EQ(finding.count, 4u);
    EXPECT_EQ(example(finding, "thread"), "(20, 0, 0)");
  }
}

TEST(LateChecks, AMisalignedLoadIsReportedAtTheLoad) {
  const auto at_two = [](const std::string& condition) {
    return run_late("selp.u32 %v1, %v0, 0, " + condition + ";", "ld.shared.u32 %v0, [tile+2];");
  };
  for (const char* condition : {"%many", "%some"}) {
    const Finding finding = only_finding(at_two(condition));
    EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::misaligned));
    EXPECT_EQ(finding.count, 64u);
  }
}

TEST(LateChecks, ANeighbourThatIsNotUsedMayLieOutside) {
  const std::string body =
      ".shared .align 16 .b8 three[12]; .reg .b32 %v<4>;"
      "st.shared.u32 [three], 1; st.shared.u32 [three+4], 2; st.shared.u32 "
      "[three+8], 3; bar.sync 0; ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [three];"
      "add.u32 %r0, %v0, %v1; add.u32 %r0, %r0, %v2;";
  PtxProgram program(body);
  program.shape.block = {1, 1, 1};
  expect_clean(program.run());
  PtxProgram used(body + "add.u32 %r1, %r0, %v3;");
  used.shape.block = {1, 1, 1};
  EXPECT_EQ(to_string(only_finding(used.run()).kind), to_string(FindingKind::out_of_bounds));
}

TEST(LateChecks, AStoreBesideASelectionThatDoesNotTakeItIsNoRace) {
  const auto run = [](const std::string& condition) {
    PtxProgram program(R"(
      .shared .align 4 .b8 flag[4]; .reg .b32 %t; .reg .pred %c;
      mov.u32 %t, %tid.x; setp.gt.u32 %c, %t, )" +
                       condition + ";" + at(42, "ld.shared.u32 %r0, [flag];") +
                       "selp.b32 %r1, %r0, 7, %c; setp.eq.u32 %p0, %t, 0;" +
                       at(50, "@%p0 st.shared.u32 [flag], %r1;"));
    program.shape.block = {64, 1, 1};
    return program.run();
  };
  expect_clean(run("99"));
  expect_race(only_finding(run("40")), 42, 50);
}

}  // namespace
}  // namespace tessera::test
