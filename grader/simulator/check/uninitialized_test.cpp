// Reads of shared and local memory that hold no value yet.
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void expect_uninitialized(const Finding& finding, int line) {
  EXPECT_EQ(to_string(finding.kind), to_string(FindingKind::uninitialized_read));
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.file, "kernel.cu");
  EXPECT_EQ(finding.line, line);
  EXPECT_NE(finding.hint.str(), "");
}

PtxProgram unwritten_program(const std::string& body) {
  PtxProgram program(R"(
    .shared .align 4 .b8 tile[4096]; .reg .b32 %t, %tile, %at; mov.u32 %t, %tid.x;
    mov.u32 %tile, tile; mad.lo.u32 %at, %t, 4, %tile;)" +
                     body);
  program.shape.block = {64, 1, 1};
  return program;
}

RunResult run_unwritten(const std::string& body) {
  return unwritten_program(body).run();
}

TEST(UninitializedShared, TheHintNamesAnElementBeyondTheThreadsOfTheBlock) {
  PtxProgram program = unwritten_program("st.shared.u32 [%at], %t; bar.sync 0;" +
                                         at(42, "ld.shared.u32 %r0, [%at+16];"));
  const auto hint = [&](std::uint32_t element_bytes) {
    program.arrays["tile"] = {element_bytes, {4096 / element_bytes}};
    return only_finding(program.run()).hint;
  };
  EXPECT_THAT(hint(4), HasSubstr(" A block has 64 threads: if each of them writes one element, "
                                 "none writes tile[64]."));
  EXPECT_THAT(hint(8), Not(HasSubstr("A block has"))) << "tile[32] is thread 32's";
}

TEST(UninitializedShared, AWordThatNoThreadWrites) {
  const Finding finding = only_finding(run_unwritten("st.shared.u32 [%at], %t; bar.sync 0;" +
                                                     at(42, "ld.shared.u32 %r0, [%at+16];")));
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 4u);
  EXPECT_EQ(finding.message.str(),
            "reads tile + 256 bytes (thread (60, 0, 0)), which no thread has written");
  EXPECT_EQ(example(finding, "element"), "tile + 256 bytes");
  EXPECT_EQ(example(finding, "thread"), "(60, 0, 0)");
  EXPECT_EQ(example(finding, "block"), "(0, 0, 0)");
}

TEST(UninitializedShared, AWordThatTheReaderWritesLater) {
  const Finding finding = only_finding(
      run_unwritten(at(42, "ld.shared.u32 %r0, [%at];") + at(44, "st.shared.u32 [%at], %r0;")));
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 64u);
}

TEST(UninitializedShared, AWordThatAnotherThreadWritesAfterABarrier) {
  // The barrier orders the two threads: there is no race, but the value is missing all the same.
  expect_uninitialized(
      only_finding(run_unwritten(
          at(42, "xor.b32 %r1, %t, 32; mad.lo.u32 %r1, %r1, 4, %tile; ld.shared.u32 %r0, [%r1];") +
          at(43, "bar.sync 0;") + at(44, "st.shared.u32 [%at], %t;"))),
      42);
}

TEST(UninitializedShared, AMissingBarrierIsARaceAlone) {
  const RunResult result = run_unwritten(
      at(40, "st.shared.u32 [%at], %t;") +
      at(42, "xor.b32 %r1, %t, 32; mad.lo.u32 %r1, %r1, 4, %tile; ld.shared.u32 %r0, [%r1];"));
  expect_race(only_finding(result), 40, 42);
}

TEST(UninitializedShared, AWideStoreThatRacesWritesAllOfItsWords) {
  const std::string reads = at(40, thread_only(0, "ld.shared.u32 %r0, [tile];")) +
                            at(42, thread_only(1, "ld.shared.u32 %r0, [tile+12];"));
  const std::string store = thread_only(32, "st.shared.v4.u32 [tile], {%t, %t, %t, %t};");
  expect_race(only_finding(run_unwritten(reads + at(44, store))), 40, 44);
}

TEST(UninitializedShared, StoresOfTheSameValueHideNothing) {
  // Thread 0 reads tile[3] before any thread has written it; later threads 0 and 32 store a 5
  // there.
  const std::string read = at(42, thread_only(0, "ld.shared.u32 %r0, [tile+12];")) + "bar.sync 0;";
  const std::string stores = at(43, thread_only(0, "st.shared.u32 [tile+12], 5;")) +
                             at(44, thread_only(32, "st.shared.u32 [tile+12], 5;"));
  const RunResult result =
      run_unwritten(read + stores + "bar.sync 0;" + at(50, "ld.shared.u32 %r1, [tile+12];"));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_uninitialized(result.findings[0], 42);
  EXPECT_EQ(result.findings[0].count, 1u);
  EXPECT_EQ(to_string(result.findings[1].kind), "race");
  EXPECT_EQ(result.findings[1].severity, Severity::info);
}

TEST(UninitializedShared, ARaceElsewhereHidesNothing) {
  const RunResult result = run_unwritten(
      at(40, "st.shared.u32 [%at], %t;") +
      at(42, "xor.b32 %r1, %t, 32; mad.lo.u32 %r1, %r1, 4, %tile; ld.shared.u32 %r0, [%r1];") +
      at(50, "ld.shared.u32 %r0, [tile+2048];"));
  ASSERT_EQ(result.findings.size(), 2u) << describe(result);
  expect_race(result.findings[0], 40, 42);
  expect_uninitialized(result.findings[1], 50);
}

TEST(UninitializedShared, AtomicsReadWhatTheyUpdate) {
  for (const char* atomic : {"atom.shared.add.u32 %r0, [tile], 1;", "red.shared.max.u32 [tile], 1;",
                             "atom.shared.cas.b32 %r0, [tile], 0, 1;"}) {
    SCOPED_TRACE(atomic);
    expect_uninitialized(only_finding(run_unwritten(at(42, thread_only(0, atomic)))), 42);
  }
}

TEST(UninitializedGlobal, AnAtomicExchangeMayBeTheFirstWrite) {
  const auto run = [](const std::string& atomic) {
    PtxProgram program(at(42, "atom.global." + atomic));
    BufferInfo info;
    info.name = "out";
    info.initialized = false;
    const std::vector<std::uint32_t> out(32);
    program.add_buffer(info, std::as_bytes(std::span(out)));
    return program.run();
  };
  expect_clean(run("exch.b32 %r0, [%out_at], 1;"));
  expect_uninitialized(only_finding(run("exch.b32 %r0, [%out_at], 1; mov.u32 %r1, %r0;")), 42);
  expect_uninitialized(only_finding(run("add.u32 %r0, [%out_at], 1;")), 42);
}

TEST(UninitializedShared, AnAtomicExchangeMayBeTheFirstWrite) {
  expect_clean(run_unwritten(thread_only(0, "atom.shared.exch.b32 %r0, [tile], 1;") +
                             "bar.sync 0; ld.shared.u32 %r1, [tile];"));
}

TEST(UninitializedShared, WhatAnAtomicLeftIsAValue) {
  // One cause: the reads after the first update are not reported again.
  const Finding finding =
      only_finding(run_unwritten(at(42, "atom.shared.add.u32 %r0, [tile], 1;") + "bar.sync 0;" +
                                 at(50, "ld.shared.u32 %r0, [tile];")));
  expect_uninitialized(finding, 42);
}

TEST(UninitializedShared, EveryBlockStartsAnew) {
  PtxProgram program = unwritten_program(
      "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p0, %r1, 0; @!%p0 st.shared.u32 [%at], %t; bar.sync 0;" +
      at(42, "ld.shared.u32 %r0, [%at];"));
  program.shape.grid = {3, 1, 1};
  const Finding finding = only_finding(program.run());
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 128u);
  EXPECT_EQ(example(finding, "block"), "(1, 0, 0)");
}

TEST(UninitializedShared, LanesThatAreOffReadNothing) {
  expect_clean(
      run_unwritten("setp.lt.u32 %p0, %t, 40; @%p0 st.shared.u32 [%at], %t; @%p0 "
                    "ld.shared.u32 %r0, [%at];"));
}

const std::string kOwn =
    ".local .align 4 .b8 own[16]; .reg .b64 %own, %own_i; mov.u64 %own, own;\n";

/// Each thread writes the first three of its four words and loads its neighbour's four at line 42.
RunResult run_padded(const std::string& use) {
  PtxProgram program(
      ".shared .align 16 .b8 tile[1024]; .reg .b32 %at, %near, %v<4>; mov.u32 %r0, tile; "
      "mad.lo.u32 %at, %index, 16, %r0; xor.b32 %near, %at, 16; st.shared.u32 [%at], 1; "
      "st.shared.u32 [%at+4], 2; st.shared.u32 [%at+8], 3; bar.sync 0;" +
      at(42, "ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%near];") + use);
  return program.run();
}

TEST(UninitializedShared, PaddingThatIsOnlyCopiedIsNotRead) {
  expect_clean(run_padded("add.u32 %r0, %v0, %v1; add.u32 %r0, %r0, %v2;"));
  expect_clean(run_padded("bar.sync 0; st.shared.v4.u32 [%at], {%v0, %v1, %v2, %v3};"));
  expect_uninitialized(only_finding(run_padded("add.u32 %r0, %v0, %v3;")), 42);
  expect_uninitialized(only_finding(run_padded("st.shared.u32 [%at], %v3;")), 42);
}

TEST(UninitializedShared, OneWrittenByteMakesAnElement) {
  const std::string words = "st.shared.u8 [%at+3], 1; bar.sync 0;";
  expect_clean(run_unwritten(words + at(42, "ld.shared.u32 %r0, [%at];")));
  expect_uninitialized(
      only_finding(run_unwritten(words + at(42, "ld.shared.v2.u16 {%r0, %r1}, [%at];"))), 42);
}

TEST(UninitializedShared, ANumberHasNoPadding) {
  const std::string half = "st.shared.u16 [%at], 1; bar.sync 0;";
  const std::string load = at(42, "ld.shared.u32 %r0, [%at];");
  expect_uninitialized(only_finding(run_unwritten(half + load + "add.u32 %r1, %r0, 1;")), 42);
  expect_clean(run_unwritten(half + load + "shl.b32 %r1, %r0, 16;"));
  const std::string pair = "st.shared.u16 [%at], 1; st.shared.u16 [%at+4], 1; bar.sync 0;";
  const std::string two = at(42, "ld.shared.v2.u32 {%r0, %r1}, [%at];");
  const std::string apart = "mad.lo.u32 %at, %t, 4, %at;";
  expect_uninitialized(only_finding(run_unwritten(apart + pair + two + "add.u32 %r1, %r0, %r1;")),
                       42);
}

TEST(UninitializedLocal, ANumberHasNoPadding) {
  const auto run = [](const std::string& use) {
    PtxProgram program(".local .align 4 .b8 pair[4]; st.local.u16 [pair], 1;" +
                       at(42, "ld.local.u32 %r0, [pair];") + use);
    return program.run();
  };
  expect_uninitialized(only_finding(run("add.u32 %r1, %r0, 1;")), 42);
  expect_clean(run("shl.b32 %r1, %r0, 16;"));
}

/// A word of which the lower half has been written, and what is done with it.
RunResult run_half_written(const std::string& use) {
  PtxProgram program(".local .align 4 .b8 pair[4], copy[4]; st.local.u16 [pair], 1;" +
                     at(42, "ld.local.u32 %r0, [pair];") + use);
  return program.run();
}

TEST(UninitializedLocal, TheHalfThatIsTakenOutOfAWordIsANumber) {
  const auto expect_read = [](const std::string& use) {
    SCOPED_TRACE(use);
    expect_uninitialized(only_finding(run_half_written(use)), 42);
  };
  const std::string number = "add.u32 %r2, %r1, 1;";
  const std::string store = "st.local.u32 [copy], %r1;";
  for (const std::string upper :
       {"shr.u32 %r1, %r0, 16;", "and.b32 %r1, %r0, 0xff0000;", "bfe.u32 %r1, %r0, 16, 8;",
        "prmt.b32 %r1, %r0, 0, 0x4442;", "xor.b32 %r1, %r0, 1;", "popc.b32 %r1, %r0;"}) {
    expect_read(upper + number);
    if (!upper.starts_with("prmt")) expect_read(upper + store);
  }
  expect_read("setp.eq.u32 %p0, %r0, 5;");
  expect_read("shr.u32 %r1, %r0, 8; and.b32 %r1, %r1, 0x1ff;" + number);
  for (const std::string lower :
       {"shl.b32 %r1, %r0, 16;", "and.b32 %r1, %r0, 0xffff;", "bfe.u32 %r1, %r0, 0, 16;",
        "prmt.b32 %r1, %r0, 0, 0x4410;", "cvt.u32.u16 %r1, %r0;"}) {
    SCOPED_TRACE(lower);
    expect_clean(run_half_written(lower + number));
    expect_clean(run_half_written(lower + store));
  }
}

TEST(UninitializedLocal, AStructMayBeCopiedInPieces) {
  for (const std::string copy :
       {"st.local.u32 [copy], %r0;", "st.local.u16 [copy], %r0;",
        "shr.u32 %r1, %r0, 16; st.local.u16 [copy+2], %r1;",
        "shr.u32 %r1, %r0, 24; st.local.u8 [copy+3], %r1;",
        "and.b32 %r1, %r0, 0xffffff00; or.b32 %r2, %r1, 7; st.local.u32 [copy], %r2;",
        "mov.b64 %rd0, {%r0, %r0}; mov.b64 {%r1, %r2}, %rd0; st.local.u32 [copy], %r2;"}) {
    SCOPED_TRACE(copy);
    expect_clean(run_half_written(copy));
  }
}

TEST(UninitializedLocal, ANumberIsReadWhereItIsPassedToACall) {
  const auto run = [](const std::string& parameter) {
    PtxProgram program(
        ".local .align 4 .b8 own[4];" + at(42, "ld.local.u32 %r0, [own];") + "{ .param " +
            parameter + "; st.param.b32 [given], %r0; call.uni take, (given); }",
        ".func take(.param " + parameter +
            ") { .reg .b32 %v; ld.param.b32 %v, [given]; add.u32 %v, %v, 1; ret; }\n");
    return program.run();
  };
  expect_uninitialized(only_finding(run(".b32 given")), 42);
  expect_clean(run(".align 4 .b8 given[4]"));
}

TEST(UninitializedLocal, AByteThatIsPassedToACallIsNotRead) {
  const auto run = [](const std::string& use) {
    PtxProgram program(
        ".local .align 4 .b8 own[4]; .reg .b16 %byte;" + at(42, "ld.local.u8 %byte, [own];") +
            "{ .param .b8 given; st.param.b8 [given], %byte; call.uni take, (given); }" + use,
        ".func take(.param .b8 given) { ret; }\n");
    return program.run();
  };
  expect_clean(run(""));
  expect_uninitialized(only_finding(run("cvt.u32.u16 %r0, %byte;")), 42);
}

TEST(UninitializedLocal, AnElementReadBeforeItIsWritten) {
  PtxProgram program(kOwn + "st.local.u32 [%own], 1; st.local.u32 [%own+4], 2;" +
                     at(42, "ld.local.u32 %r0, [%own+8];"));
  const Finding finding = only_finding(program.run());
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 32u);
  EXPECT_EQ(example(finding, "thread"), "(0, 0, 0)");
  EXPECT_THAT(finding.hint, HasSubstr("Each thread has its own local array"));
  EXPECT_THAT(finding.hint, HasSubstr("__shared__ is missing"));
}

TEST(UninitializedLocal, OnlyTheLanesThatDidNotWrite) {
  PtxProgram program(kOwn + "setp.lt.u32 %p0, %index, 20; @%p0 st.local.u32 [%own+8], 1;" +
                     at(42, "ld.local.u32 %r0, [%own+8];"));
  const Finding finding = only_finding(program.run());
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 12u);
  EXPECT_EQ(example(finding, "thread"), "(20, 0, 0)");
}

TEST(UninitializedLocal, AFilledArrayIsClean) {
  PtxProgram program(kOwn + R"(mov.u32 %r0, 0;
  FILL:
    mul.wide.u32 %rd0, %r0, 4; add.u64 %own_i, %own, %rd0; st.local.u32 [%own_i], %r0;
    add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 4; @%p0 bra FILL;
    and.b32 %r1, %index, 3; mul.wide.u32 %rd0, %r1, 4; add.u64 %own_i, %own, %rd0;
    ld.local.u32 %r2, [%own_i]; cvta.local.u64 %rd1, %own;
    ld.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1];)");
  expect_clean(program.run());
}

/// Writes its array where its argument is not 0, then reads it at line 42.
const std::string kFunction = R"(
.func remember(.param .b32 writes)
{
  .local .align 4 .b8 own[8]; .reg .b32 %r<4>; .reg .b64 %at; .reg .pred %p;
  ld.param.b32 %r0, [writes]; mov.u64 %at, own; setp.ne.u32 %p, %r0, 0;
  @%p st.local.u32 [%at], 5;
  @%p st.local.u32 [%at+4], 6;
  .loc 1 42 1
  ld.local.u32 %r1, [%at+4];
  ret;
}
)";

std::string remember(const std::string& writes) {
  return "{ .param .b32 given; st.param.b32 [given], " + writes +
         "; call.uni remember, (given); }\n";
}

TEST(UninitializedLocal, EveryCallHasFreshArrays) {
  PtxProgram clean(remember("1") + remember("1"), kFunction);
  expect_clean(clean.run());
  // The second call finds the values of the first call on the stack, and may not use them.
  PtxProgram stale(remember("1") + remember("0"), kFunction);
  const Finding finding = only_finding(stale.run());
  expect_uninitialized(finding, 42);
  EXPECT_EQ(finding.count, 32u);
}

TEST(UninitializedLocal, ACallLeavesTheCallersArraysAlone) {
  PtxProgram program(kOwn + "st.local.u32 [%own+12], 3;\n" + remember("1") +
                         "ld.local.u32 %r0, [%own+12]; st.global.u32 [%out_at], %r0;",
                     kFunction);
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out"), std::vector<std::uint32_t>(32, 3));
}

}  // namespace
}  // namespace tessera::test
