// Device functions: parameters, results, recursion, divergence, pointers to functions (PTX ISA, 7
// and 9.7.13).
#include <gtest/gtest.h>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using Values = std::vector<std::uint32_t>;

const std::string kAddMul = R"(
.func (.param .b32 result) add_mul(.param .b32 a, .param .b32 b)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r0, [a]; ld.param.b32 %r1, [b];
  mad.lo.s32 %r2, %r0, 10, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";

const std::string kFactorial = R"(
.func (.param .b64 result) factorial(.param .b32 n)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.b32 %r0, [n];
  setp.gt.u32 %p, %r0, 1;
  @%p bra MORE;
  st.param.b64 [result], 1;
  ret;
MORE:
  sub.u32 %r1, %r0, 1;
  { .param .b32 argument; .param .b64 answer;
    st.param.b32 [argument], %r1;
    call (answer), factorial, (argument);
    ld.param.b64 %rd0, [answer]; }
  cvt.u64.u32 %rd1, %r0;
  mul.lo.u64 %rd2, %rd0, %rd1;
  st.param.b64 [result], %rd2;
  ret;
}
)";

const std::string kFibonacci = R"(
.func (.param .b32 result) fibonacci(.param .b32 n)
{
  .reg .b32 %r<8>; .reg .pred %p;
  ld.param.b32 %r0, [n];
  setp.lt.u32 %p, %r0, 2;
  @%p st.param.b32 [result], %r0;
  @%p ret;
  sub.u32 %r1, %r0, 1; sub.u32 %r2, %r0, 2;
  { .param .b32 given; .param .b32 answer; st.param.b32 [given], %r1;
  call (answer), fibonacci, (given); ld.param.b32 %r3, [answer]; }
  { .param .b32 given; .param .b32 answer; st.param.b32 [given], %r2;
  call (answer), fibonacci, (given); ld.param.b32 %r4, [answer]; }
  add.u32 %r5, %r3, %r4;
  st.param.b32 [result], %r5;
  ret;
}
)";

std::string call(const std::string& function, const std::string& argument,
                 const std::string& result) {
  return "{ .param .b32 given; .param .b32 answer; st.param.b32 [given], " + argument +
         "; call (answer), " + function + ", (given); ld.param.b32 " + result + ", [answer]; }\n";
}

TEST(Call, PassesParametersAndAResult) {
  const Values values = lanes(
      "{ .param .b32 p0; .param .b32 p1; .param .b32 r0; st.param.b32 [p0], %index; st.param.b32 "
      "[p1], 7;\n"
      "call.uni (r0), add_mul, (p0, p1); ld.param.b32 %x, [r0]; }",
      kAddMul);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 10 * i + 7);
}

TEST(Call, ParametersLieAsCloseAsTheyMay) {
  const Values values = lanes(call("second", "%index", "%x"), R"(
.func (.param .b32 result) second(.param .b32 a) { .param .b32 b; .param .b32 c;
  .reg .b32 %r<2>; st.param.b32 [b], 5; st.param.b32 [c], 6; ld.param.b32 %r0, [b+4];
  st.param.b32 [result], %r0; ret; }
)");
  EXPECT_EQ(values, Values(32, 6));
}

TEST(Call, KeepsTheCallersRegisters) {
  const Values values = lanes(
      "mov.u32 %r0, 1000; mov.u32 %r1, 2000; mov.u32 %r2, 3000;\n"
      "{ .param .b32 p0; .param .b32 p1; .param .b32 r0; st.param.b32 [p0], 1; st.param.b32 [p1], "
      "2;\n"
      "call.uni (r0), add_mul, (p0, p1); ld.param.b32 %x, [r0]; }\n"
      "add.u32 %x, %x, %r0; add.u32 %x, %x, %r1; add.u32 %x, %x, %r2;",
      kAddMul);
  EXPECT_EQ(values, Values(32, 6012));
}

TEST(Call, RecursionHasAFrameForEachLevel) {
  const Values values = lanes(
      "rem.u32 %r0, %index, 13; { .param .b32 given; .param .b64 answer; st.param.b32 [given], "
      "%r0; call (answer), factorial, (given);\n"
      "ld.param.b64 %rd0, [answer]; } cvt.u32.u64 %x, %rd0;",
      kFactorial);
  Values factorial = {1};
  for (std::uint32_t n = 1; n < 13; ++n) factorial.push_back(factorial.back() * n);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], factorial[i % 13]);
}

TEST(Call, TreeRecursionDivergesAndJoins) {
  const Values values = lanes("rem.u32 %r0, %index, 11;" + call("fibonacci", "%r0", "%x") +
                                  "activemask.b32 %r1; not.b32 %r1, %r1; add.u32 %x, %x, %r1;",
                              kFibonacci);
  const Values fibonacci = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], fibonacci[i % 11]);
}

TEST(Call, RecursionWithoutAnEndIsNoLoop) {
  PtxProgram program(call("fibonacci", "40", "%r0"), kFibonacci);
  program.step_limit = 20'000;
  const RunResult result = program.run();
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings.front().kind, FindingKind::step_limit);
  EXPECT_NE(result.findings.front().message.str().find("this function calls itself"),
            std::string::npos)
      << result.findings.front().message;
}

TEST(Call, OnlySomeLanesMayCall) {
  const Values values =
      lanes("mov.u32 %x, 5; and.b32 %r0, %index, 3; setp.ne.u32 %p0, %r0, 1; @%p0 bra SKIP;\n" +
                call("fibonacci", "10", "%x") + "SKIP: add.u32 %x, %x, 1;",
            kFibonacci);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 4 == 1 ? 56u : 6u);
}

TEST(Call, AGuardedCallSkipsTheOtherLanes) {
  const Values values = lanes(
      "mov.u32 %x, 5; and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 1;\n"
      "{ .param .b32 given; .param .b32 answer; st.param.b32 [given], 7; @%p0 call (answer), "
      "fibonacci, (given); ld.param.b32 %r1, [answer]; } @%p0 mov.u32 %x, %r1;",
      kFibonacci);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 2 == 1 ? 13u : 5u);
}

TEST(Call, LanesReturnFromDifferentPlaces) {
  const std::string scope = R"(
.func (.param .b32 result) class_of(.param .b32 n)
{
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r0, [n];
  mov.u32 %r1, 0;
LOOP:
  setp.lt.u32 %p, %r0, 4;
  @%p bra SMALL;
  setp.gt.u32 %p, %r0, 28;
  st.param.b32 [result], 99;
  @%p ret;
  sub.u32 %r0, %r0, 4; add.u32 %r1, %r1, 1;
  bra LOOP;
SMALL:
  st.param.b32 [result], %r1;
  ret;
}
)";
  const Values values =
      lanes(call("class_of", "%index", "%x") +
                "activemask.b32 %r1;  setp.ne.u32 %p0, %r1, -1; @%p0 mov.u32 %x, 12345;",
            scope);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i > 28 ? 99 : i / 4);
}

TEST(Call, ExitInAFunctionEndsTheThread) {
  const std::string scope =
      ".func stop_odd(.param .b32 n) { .reg .b32 %r<2>; .reg .pred %p; ld.param.b32 %r0, [n]; "
      "and.b32 %r1, %r0, 1; setp.eq.u32 %p, %r1, 1; @%p exit; ret; }\n";
  const Values values = lanes(
      "{ .param .b32 given; st.param.b32 [given], %index; call stop_odd, (given); } mov.u32 %x, 4;",
      scope);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 2 == 1 ? kPoison32 : 4u);
}

TEST(Call, StructsTravelByValue) {
  const std::string scope = R"(
.func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 pair[16])
{
  .reg .b64 %rd<2>;
  ld.param.b64 %rd0, [pair]; ld.param.b64 %rd1, [pair+8];
  st.param.b64 [result], %rd1; st.param.b64 [result+8], %rd0;
  ret;
}
)";
  const Values values = lanes(R"(
    { .param .align 8 .b8 given[16]; .param .align 8 .b8 answer[16];
    cvt.u64.u32 %rd0, %index;
    st.param.b64 [given], %rd0; st.param.v2.b32 [given+8], {5, 6};
    call.uni (answer), swap, (given);
    ld.param.v2.b32 {%r0, %r1}, [answer]; ld.param.b64 %rd1, [answer+8]; }
    cvt.u32.u64 %x, %rd1; mad.lo.u32 %x, %r0, 100, %x; mad.lo.u32 %x, %r1, 1000, %x;)",
                              scope);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 6500 + i);
}

TEST(Call, AFunctionMayWriteItsCallersLocals) {
  const std::string scope =
      ".func fill(.param .b64 at, .param .b32 value) { .reg .b32 %r0; .reg .b64 %rd0; ld.param.b64 "
      "%rd0, [at]; ld.param.b32 %r0, [value]; st.u32 [%rd0+4], %r0; ret; }\n";
  const Values values = lanes(
      ".local .align 8 .b8 own[8]; .reg .b64 %own_at; mov.u64 %own_at, own; cvta.local.u64 %rd0, "
      "%own_at;\n"
      "{ .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd0; st.param.b32 [p1], %index; "
      "call.uni fill, (p0, p1); }\n"
      "ld.local.u32 %x, [own+4];",
      scope);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i);
}

TEST(Call, EveryFrameHasItsOwnLocalArray) {
  const std::string scope = R"(
.func (.param .b32 result) deep(.param .b32 n)
{
  .local .align 4 .b8 keep[8];
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r0, [n];
  st.local.u32 [keep], %r0;
  mov.u32 %r2, 0;
  setp.eq.u32 %p, %r0, 0;
  @%p bra LAST;
  sub.u32 %r1, %r0, 1;
  { .param .b32 given; .param .b32 answer; st.param.b32 [given], %r1;
  call (answer), deep, (given); ld.param.b32 %r2, [answer]; }
LAST:
  ld.local.u32 %r3, [keep];
  mad.lo.u32 %r2, %r2, 2, %r3;
  st.param.b32 [result], %r2;
  ret;
}
)";
  const Values values = lanes("and.b32 %r0, %index, 7;" + call("deep", "%r0", "%x"), scope);
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t want = 0;
    for (std::uint32_t n = 0; n <= i % 8; ++n) want = 2 * want + n;
    EXPECT_EQ(values[i], want);
  }
}

TEST(Call, MutualRecursionNeedsADeclarationOnly) {
  const std::string one =
      "{ .reg .b32 %r<3>; .reg .pred %p; ld.param.b32 %r0, [n]; setp.ne.u32 %p, %r0, 0; @%p bra "
      "MORE; st.param.b32 [r], ";
  const std::string two =
      "; ret;\nMORE: sub.u32 %r1, %r0, 1; { .param .b32 given; .param .b32 answer; st.param.b32 "
      "[given], %r1; call (answer), ";
  const std::string three =
      ", (given); ld.param.b32 %r2, [answer]; } st.param.b32 [r], %r2; ret; }\n";
  const std::string scope =
      ".func (.param .b32 r) is_odd(.param .b32 n);\n.func (.param .b32 r) is_even(.param .b32 "
      "n) " +
      one + "1" + two + "is_odd" + three + ".func (.param .b32 r) is_odd(.param .b32 n) " + one +
      "0" + two + "is_even" + three;
  const Values values = lanes(call("is_even", "%index", "%x"), scope);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 1 - i % 2);
}

const std::string kTable = R"(
.func (.param .b32 r) plus(.param .b32 n) { .reg .b32 %r0; ld.param.b32 %r0, [n];
add.u32 %r0, %r0, 100; st.param.b32 [r], %r0; ret; }
.func (.param .b32 r) times(.param .b32 n) { .reg .b32 %r0; ld.param.b32 %r0, [n];
mul.lo.u32 %r0, %r0, 3; st.param.b32 [r], %r0; ret; }
.func (.param .b32 r) minus(.param .b32 n) { .reg .b32 %r0; ld.param.b32 %r0, [n];
neg.s32 %r0, %r0; st.param.b32 [r], %r0; ret; }
.global .align 8 .u64 operations[3] = {plus, times, minus};
)";

// Three functions, each for a third of the lanes.
const std::string kCallOfEachLane = R"(
    rem.u32 %r0, %index, 3; mul.wide.u32 %rd0, %r0, 8; mov.u64 %rd1, operations;
    add.u64 %rd0, %rd0, %rd1; ld.global.u64 %rd2, [%rd0];
    { .param .b32 given; .param .b32 answer; st.param.b32 [given], %index;
    shape: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (answer), %rd2, (given), shape;
    ld.param.b32 %x, [answer]; })";

TEST(IndirectCall, AllLanesMeetBehindTheCall) {
  EXPECT_EQ(lanes(kCallOfEachLane + "activemask.b32 %x;", kTable), Values(32, 0xffffffff));
  // Also those that do not call, where lanes that parted before meet behind the call too.
  std::string guarded =
      "setp.ge.u32 %p1, %index, 30; @%p1 bra MEET; setp.ge.u32 %p0, %index, 5;\n" +
      kCallOfEachLane + "MEET: activemask.b32 %x;";
  guarded.replace(guarded.find("call (answer)"), 4, "@%p0 call");
  EXPECT_EQ(lanes(guarded, kTable), Values(32, 0xffffffff));
}

TEST(IndirectCall, EachLaneCallsItsOwnFunction) {
  const Values values = lanes(kCallOfEachLane, kTable);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i % 3 == 0 ? i + 100 : i % 3 == 1 ? i * 3 : 0 - i);
}

TEST(IndirectCall, AFunctionsAddressMayBeMoved) {
  const Values values = lanes(R"(
    mov.u64 %rd2, times;
    { .param .b32 given; .param .b32 answer; st.param.b32 [given], 14;
    shape: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (answer), %rd2, (given), shape;
    ld.param.b32 %x, [answer]; })",
                              kTable);
  EXPECT_EQ(values, Values(32, 42));
}

}  // namespace
}  // namespace tessera::test
