// PTX that attacks the interpreter. What ptxas would refuse is refused with its line, what a kernel
// does at run time becomes a finding, and neither reaches memory of the host.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

/// A module with `scope` on line 4 and a kernel whose body stands on line 7.
std::string module_of(const std::string& body, const std::string& scope = "") {
  return kHead + scope +
         "\n.visible .entry test()\n{ .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<160>; .reg "
         ".b64 %rd<160>; .reg .f32 %f<8>;\n" +
         body + "\nret;\n}\n";
}

struct Refused {
  const char* name;
  std::string body;
  std::string scope = "";
  int line = 7;

  friend void PrintTo(const Refused& refused, std::ostream* out) {
    *out << refused.body.substr(0, 200);
  }
};

class RefusedPtx : public ::testing::TestWithParam<Refused> {};

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string registers(const std::string& prefix, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, i);
  return "{" + list + "}";
}

const std::string kTakesOne = ".func (.param .b32 r) one(.param .b32 n) { ret; }";
const std::string kReturnsLarge = ".func (.param .align 8 .b8 r[16384]) large() { ret; }";

INSTANTIATE_TEST_SUITE_P(
    Vectors, RefusedPtx,
    ::testing::Values(
        Refused{"StoreOf145Registers", "st.global.u64 [%rd0], " + registers("%rd", 145) + ";"},
        Refused{"StoreOfMoreThanItsName", "st.global.v2.u32 [%rd0], " + registers("%r", 4) + ";"},
        Refused{"StoreOfFewerThanItsName", "st.global.v4.u32 [%rd0], {%r0, %r1};"},
        Refused{"StoreOfNone", "st.global.v2.u32 [%rd0], {};"},
        Refused{"StoreOfSinks", "st.global.v2.u32 [%rd0], {_, %r0};"},
        Refused{"LoadOf145Registers", "ld.global.u64 " + registers("%rd", 145) + ", [%rd0];"},
        Refused{"LoadOfOneInBraces", "ld.global.u32 {%r0}, [%rd0];"},
        Refused{"SixtyFourBytes", "ld.global.v8.u64 " + registers("%rd", 8) + ", [%rd0];"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Operands, RefusedPtx,
    ::testing::Values(Refused{"SixteenBitBase", "ld.global.u32 %r0, [%h0];"},
                      Refused{"PredicateBase", "st.global.u32 [%p1], %r0;"},
                      Refused{"ValueWithoutBrackets", "ld.global.u32 %r0, %rd0;"},
                      Refused{"PredicateAsValue", "add.u32 %r0, %r1, %p1;"},
                      Refused{"PredicateAsResult", "add.u32 %p1, %r1, %r2;"},
                      Refused{"ValueAsPredicate", "selp.u32 %r0, %r1, %r2, %r3;"},
                      Refused{"ValueAsGuard", "@%r0 add.u32 %r0, %r1, 1;"},
                      Refused{"NarrowRegister", "add.u64 %rd0, %rd1, %r2;"},
                      Refused{"NarrowConversion", "cvt.u32.u64 %r0, %r1;"},
                      Refused{"NegatedValue", "add.u32 %r0, !%r1, 1;"},
                      Refused{"AddressAsValue", "mov.u32 %r0, [%rd0];"},
                      Refused{"MissingOperand", "bfi.b32 %r0, %r1, %r2, 3;"},
                      Refused{"UndeclaredRegister", "mov.u32 %r0, %r160;"},
                      Refused{"UndeclaredName", "mov.u64 %rd0, missing;"},
                      Refused{"ThirdOperandOfNoOperation", "setp.lt.u32 %p0, %r0, %r1, %p2;"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Calls, RefusedPtx,
    ::testing::Values(
        Refused{"ResultLargerThanItsSlot", "{ .param .b32 small; call (small), large, (); }",
                kReturnsLarge},
        Refused{"TooFewArguments", "{ .param .b32 a; call (a), one, (); }", kTakesOne},
        Refused{"TooManyArguments", "{ .param .b32 a; .param .b32 b; call (a), one, (b, b); }",
                kTakesOne},
        Refused{"NoResult", "{ .param .b32 a; call one, (a); }", kTakesOne},
        Refused{"WideArgument", "{ .param .b32 a; .param .b64 b; call (a), one, (b); }", kTakesOne},
        Refused{"GlobalAsArgument", "{ .param .b32 a; call (a), one, (g); }",
                kTakesOne + " .global .u32 g;"},
        Refused{"Kernel", "call other, ();", ".entry other() { ret; }"},
        Refused{"Variable", "call g, ();", ".global .u32 g;"},
        Refused{"FunctionWithoutABody", "@%p0 call elsewhere, ();", ".extern .func elsewhere();"},
        Refused{"BuiltinWithoutItsArguments", "call vprintf, ();",
                ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Declarations, RefusedPtx,
    ::testing::Values(
        Refused{"AlignmentOfZero", "", ".global .align 0 .b32 a;", 4},
        Refused{"AlignmentOfThree", "", ".global .align 3 .b32 a;", 4},
        Refused{"HugeAlignment", "", ".global .align 4294967296 .b32 a;", 4},
        Refused{"NegativeExtent", "", ".global .b8 a[-1];", 4},
        Refused{"ExtentsThatOverflow", "", ".global .b8 a[4294967296][4294967296];", 4},
        Refused{"LocalArrayOf256GiB", ".local .b8 a[16384][16777216];"},
        Refused{"LocalArraysOverTheirLimit", ".local .b8 a[524280]; .local .b8 b[16];"},
        Refused{"ParametersOfAKernel", "", ".entry big(.param .b8 a[40000]) { ret; }", 4},
        Refused{"ParametersOfAFunction", "", ".func big(.param .b8 a[268435456]) { ret; }", 4},
        Refused{"ConstantsOverTheirBank", "", ".const .b8 a[65536]; .const .b8 b[1];", 4},
        Refused{"SharedVariables", ".shared .b8 a[33554432];", "", 5},
        Refused{"InitialiserOfShared", "", ".shared .u32 a = 1;", 4},
        Refused{"MaskOfTwoBytes", "", ".global .u8 b[8] = {0xFFFF(a)}; .global .u32 a;", 4},
        Refused{"MaskOfNothing", "", ".global .u8 b[8] = {0(a)}; .global .u32 a;", 4},
        Refused{"FunctionTwice", "", ".func f() { ret; } .func f() { ret; }", 4},
        Refused{"KernelAndVariable", "", ".entry a() { ret; } .global .u32 a;", 4},
        Refused{"VariableTwice", "", ".global .u32 a; .global .u32 a;", 4},
        Refused{"RegisterTwice", ".reg .b32 a; .reg .b64 a;"},
        Refused{"RangeTwice", ".reg .b64 %r<4>;"},
        Refused{"LineThatIsNoLine", ".loc 1 99999999999 1"},
        Refused{"TableOfNoLabel", "t: .branchtargets NOWHERE; brx.idx %r0, t;"},
        Refused{"BranchByTableWithoutOne", "brx.idx %r0, t;"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Nesting, RefusedPtx,
    ::testing::Values(Refused{"Address", "ld.global.u32 %r0, " + repeated("[", 100'000) + "%rd0" +
                                             repeated("]", 100'000) + ";"},
                      Refused{"Operand", "mov.b64 %rd0, " + repeated("{", 100'000) + "%r0" +
                                             repeated("}", 100'000) + ";"},
                      Refused{"Initialiser", "",
                              ".global .u32 a[4] = " + repeated("{", 100'000) + ";", 4},
                      Refused{"Blocks", repeated("{", 100'000) + repeated("}", 100'000)}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(RefusedPtx, IsAnErrorWithItsLine) {
  const auto module = load_module(module_of(GetParam().body, GetParam().scope));
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().line, GetParam().line) << module.error().str();
  EXPECT_NE(module.error().message, "");
}

struct Unknown {
  const char* name;
  std::string body;
  std::string scope = "";

  friend void PrintTo(const Unknown& unknown, std::ostream* out) { *out << unknown.body; }
};

class UnknownPtx : public ::testing::TestWithParam<Unknown> {};

INSTANTIATE_TEST_SUITE_P(
    Hostile, UnknownPtx,
    ::testing::Values(
        Unknown{"StoreOf128Bits", "st.global.b128 [%data_at], 1;"},
        Unknown{"SetOfEightBits", "set.lt.u8.u32 %h0, %r0, %r1;"},
        Unknown{"TestOfIntegers", "testp.finite.u16 %p0, %h0;"},
        Unknown{"AddressOf16Bits", "cvta.global.u16 %h0, %h1;"},
        Unknown{"MatchOf16Bits", "match.any.sync.b16 %r0, %h0, -1;"},
        Unknown{"ShuffleOf64Bits", "shfl.sync.idx.b64 %rd0, %rd1, 0, 31, -1;"},
        Unknown{"ReductionOfFloats", "redux.sync.min.f32 %f0, %f1, -1;"},
        Unknown{"EmptyPack", "mov.b64 %rd0, {};"},
        Unknown{"PackOfThree", "mov.b64 %rd0, {%h0, %h1, %h2};"},
        Unknown{"Tf32OfAConstant", "cvt.rna.tf32.f64 %rd0, 1.0;"},
        Unknown{"Tf32RoundedAnotherWay", "cvt.rn.tf32.f32 %r0, %f0;"},
        Unknown{"Tf32WithoutNegatives", "cvt.rna.relu.tf32.f32 %r0, %f0;"},
        Unknown{"ConversionThatStaysFinite", "cvt.rn.satfinite.f16x2.f32 %r0, %f0, %f1;"},
        Unknown{"FmaOutOfBounds", "fma.rn.oob.f16 %h0, %h1, %h2, %h3;"},
        Unknown{"MinimumWithTheSignOfBoth", "min.xorsign.abs.f16 %h0, %h1, %h2;"},
        Unknown{"MinimumOfNansAndSigns", "min.NaN.xorsign.abs.f32 %f0, %f1, %f2;"},
        Unknown{"ComparisonThatFlushesHalves", "setp.lt.ftz.f16 %p0, %h0, %h1;"},
        Unknown{"AbsoluteValueThatFlushes", "abs.ftz.f16 %h0, %h1;"},
        Unknown{"GuardedSetOfAFloat",
                "@%p0 set.ge.f32.s32 %f0, %r0, %r1; @!%p0 set.ge.f32.s32 %f0, %r0, %r1;"},
        Unknown{"FractionInAPack", "mov.b64 %rd0, {%f0, 2.0};"},
        Unknown{"FractionOfNoFloat", "mov.b32 %r0, 1.5;"},
        Unknown{"GuardedTest", "@%p0 testp.finite.f32 %p1, %f0; @!%p0 testp.finite.f32 %p1, %f0;"},
        Unknown{"LogicIntoAPredicate", "lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 1, %p1;"},
        Unknown{"AtomOnLocalMemory", "atom.local.add.u32 %r0, [%rd0], 1;"},
        Unknown{"ResultInAWiderRegister", "add.u32 %rd0, %r0, 1;"},
        Unknown{"ThreeOperandMinimum", "min.f32 %f0, %f1, %f2, %f3;"},
        Unknown{"NewKindOfAddress",
                "cp.async.bulk.tensor.2d.shared.global [%r0], [%rd0, {%r1, %r2}];"},
        Unknown{"SpecialOf8Bits", "st.global.u8 [%data_at], %envreg1;"},
        Unknown{"RegisterAsArgument", "call f, (%r0);", ".func f(.param .b32 a) { ret; }"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(UnknownPtx, IsUnsupportedWhereItIsReached) {
  PtxProgram program(GetParam().body, GetParam().scope);
  program.buffer("data", std::vector<std::uint32_t>(64, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::unsupported) << describe(result);
  EXPECT_EQ(only_finding(result).kind, FindingKind::unsupported_instruction);
}

// If the simulator read a text differently from ptxas, it would check one program and the GPU would
// run another.
INSTANTIATE_TEST_SUITE_P(
    NamesOfTwoThings, RefusedPtx,
    ::testing::Values(
        Refused{"ABlockInsideOfABlock",
                "{ .param .b32 p; st.param.b32 [p], 1; { .param .b32 p; st.param.b32 [p], 2; } }"},
        Refused{"RegisterOfABlockAndOutsideOfIt", ".reg .b32 z; { .reg .b32 z; mov.u32 z, 1; }", "",
                9},
        Refused{"ParameterOfABlockAndOutsideOfIt",
                ".param .b32 p; st.param.b32 [p], 1; { .param .b32 p; st.param.b32 [p], 2; }", "",
                9},
        Refused{"LabelOfABlockAndOutsideOfIt", "{ bra L; L: } L:", "", 9},
        Refused{"RangeOfABlockAndOutsideOfIt", ".reg .b32 z<4>; { .reg .b32 z<5>; }", "", 9},
        Refused{"RegisterInARange", ".reg .b32 z02; { .reg .b32 z<3>; mov.b32 z02, 6; }", "", 9},
        Refused{"RegisterInARangeOfItsBlock", "{ .reg .b32 z<3>; .reg .b32 z2; }", "", 9},
        Refused{"RegisterWithALeadingZero", ".reg .b32 z<3>; { .reg .b32 z02; }", "", 9},
        Refused{"RangesOfTwoPrefixes", ".reg .b32 r<20>; .reg .b32 r1<9>; mov.u32 r12, 1;", "", 9},
        Refused{"RegisterBeforeItsBlockDeclaresIt", "{ @q bar.sync 0; .reg .pred q; }"},
        Refused{"FractionInAnInteger", "", ".const .b32 half = 0.5;", 4},
        Refused{"SingleInADouble", "", ".const .f64 one = 0f3F800000;", 4},
        Refused{"IntegerInAFloat", "", ".const .f32 one = 1;", 4},
        Refused{"RangeBeforeItsBlockDeclaresIt", "{ mov.u32 %r1, 2; .reg .b32 %r<4>; }"},
        Refused{"RegisterOfASpecialName", ".reg .b32 %gridid; mov.u32 %gridid, 1;"},
        Refused{"RegisterOfANameToCome", ".reg .b32 %envreg3;"},
        Refused{"RangeWithASpecialName", ".reg .b32 %clock<70>; mov.u32 %clock64, 1;"},
        Refused{"VariableOfASpecialName", "", ".global .b32 %smid;", 4},
        Refused{"RegisterOfAVariableOutside", ".reg .b64 x; mov.u64 x, 1;", ".global .b32 x;"},
        Refused{"RangeOfAVariableOutside", "mov.u32 %r1, 2;", ".global .b32 %r1;"},
        Refused{"SharedVariableOfOneOutside", ".shared .b32 x; st.shared.u32 [x], 1;",
                ".shared .b32 x;"},
        Refused{"TwoResultsInOnePredicate", "setp.eq.u32 %p1|%p1, 1, 1;"},
        Refused{"PrototypeOfWhatNeverReturns",
                "p: .callprototype _ () .noreturn; mov.u64 %rd0, 0; call %rd0, (), p;"},
        Refused{"DeclarationOfWhatNeverReturns", "", ".extern .func free(.param .b64 a) .noreturn;",
                4},
        Refused{"GridOfClusters", "",
                ".entry e() .blocksareclusters .reqnctapercluster 2, 1, 1 { ret; }", 4},
        Refused{"TableOfABlock", "{ L: t: .branchtargets L; }"},
        Refused{"ATableTwice", "L: t: .branchtargets L; t: .branchtargets L;"},
        Refused{"ANameThatIsAnAliasTwice", "",
                ".func f() { ret; } .func g() { ret; } .alias e, f; .alias e, g;", 4},
        Refused{"AnAliasOfAFunctionThatIsDefined", "",
                ".func f() { ret; } .func g() { membar.gl; ret; } .alias f, g;", 4},
        Refused{"AnAliasOfAVariablesName", "", ".func g() { ret; } .global .b32 x; .alias x, g;",
                4},
        Refused{"AnAliasOfNothing", "", ".alias f, g;", 4},
        Refused{"AnAliasOfADeclaration", "", ".extern .func g(); .alias f, g;", 4},
        Refused{"AnAliasOfAnAlias", "",
                ".func f() { ret; } .func g(); .func h(); .alias g, f; .alias h, g;", 4},
        Refused{"AnAliasOfAKernel", "", ".entry e() { ret; } .alias f, e;", 4},
        Refused{"ACharacterOfValue0", std::string("// ") + '\0' + "\nbar.sync 0;"}),
    [](const auto& test) { return test.param.name; });

/// Returns how many barriers a warp passes in `body`.
double barriers_of(const std::string& body) {
  PtxProgram program(body);
  return program.run().metrics.at(Metric::barriers);
}

TEST(HostilePtx, CommentsAndStringsEndWherePtxasEndsThem) {
  EXPECT_EQ(barriers_of("bar.sync 0;"), 1);
  EXPECT_EQ(barriers_of("/*/ bar.sync 0; /* */"), 0);
  EXPECT_EQ(barriers_of("/***/ bar.sync 0; /* /* */"), 1);
  EXPECT_EQ(barriers_of("// x \\\nbar.sync 0; // /*\n"), 1);
  EXPECT_EQ(barriers_of("// x\r bar.sync 0;\n"), 0);
  EXPECT_EQ(barriers_of(".pragma \"nounroll; bar.sync 0; //\";\n"), 0);
  EXPECT_EQ(barriers_of(".pragma \"a\", \"b\\\"; bar.sync 0; //\";\n"), 1);
  EXPECT_EQ(barriers_of("C: .callprototype _ () // ; bar.sync 0;\n;"), 0);
}

TEST(HostilePtx, SizesOfInnerVariablesAreTheirOwn) {
  // Both call sequences use the same name for their slots; the larger slot does not lend its size
  // to the smaller one.
  const std::string scope =
      ".func wide(.param .b64 n) { ret; } .func narrow(.param .b32 n) { ret; }";
  const std::string wide = "{ .param .b64 a; call wide, (a); }";
  EXPECT_TRUE(load_module(module_of(wide + "{ .param .b32 a; call narrow, (a); }", scope)));
  EXPECT_FALSE(load_module(module_of(wide + "{ .param .b32 a; call wide, (a); }", scope)));
}

TEST(CallSlots, MayLieFurtherBackThanTheRegistersReach) {
  EXPECT_TRUE(load_module(kHead +
                          ".func one(.param .b32 x) { ret; }\n"
                          ".visible .entry k(.param .align 4 .b8 a[4000])\n"
                          "{ { .param .b32 n; st.param.b32 [n], 1; call.uni one, (n); } ret; }\n"));
}

TEST(HostilePtx, RangesOfInnerBlocksAreTheirOwn) {
  const auto values = lanes(
      "mov.u32 %x, 7; { .reg .b32 t<4>; mov.u32 t1, 5; add.u32 %x, %x, t1; }\n"
      "{ .reg .b64 t<4>; mov.u64 t1, 9; cvt.u32.u64 %r0, t1; add.u32 %x, %x, %r0; }");
  EXPECT_EQ(values, std::vector<std::uint32_t>(32, 21));
}

TEST(HostilePtx, ABlocksOwnRegisterHidesTheRegisterOfARange) {
  EXPECT_EQ(lanes("mov.u32 %r1, 5; { .reg .b32 %r1; mov.u32 %r1, 9; mov.u32 %x, %r1; }\n"
                  "{ .reg .b32 %r; mov.u32 %r, 100; add.u32 %x, %x, %r; } add.u32 %x, %x, %r1;"),
            std::vector<std::uint32_t>(32, 114));
}

TEST(HostilePtx, AnAddressSpaceDoesNotLendItsMemoryToAnother) {
  // The same instruction first reads shared memory, then global memory at the same number.
  PtxProgram program(R"(
    .shared .align 16 .b8 tile[1024]; mov.u64 %rd0, tile; cvta.shared.u64 %rd1, %rd0;
    mov.u32 %r1, 0; st.shared.u32 [%rd0], 1;
AGAIN:
    ld.u32 %r0, [%rd1]; mov.u64 %rd1, %rd0; add.u32 %r1, %r1, 1;
    setp.lt.u32 %p0, %r1, 2; @%p0 bra AGAIN;)");
  program.shape.block = {1, 1, 1};
  const RunResult result = program.run();
  EXPECT_EQ(only_finding(result).kind, FindingKind::out_of_bounds);
}

TEST(HostilePtx, AnIndexPastATableOfBranchesIsAFinding) {
  PtxProgram program(
      "mov.u32 %r0, 2; t: .branchtargets A, B; brx.idx %r0, t;\nA: ret;\nB: st.global.u32 [0], 1;");
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  EXPECT_THAT(only_finding(result).message, HasSubstr("2 targets"));
}

/// Calls the function at `address` as a function that takes and returns 4 bytes.
RunResult indirect_call(const std::string& address) {
  PtxProgram program(fmt::format(R"(
    mov.u64 %rd2, {};
    {{ .param .b32 given; .param .b32 answer; st.param.b32 [given], 14;
    shape: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (answer), %rd2, (given), shape; }})",
                                 address),
                     ".func (.param .b32 r) right(.param .b32 n) { ret; }\n"
                     ".func (.param .align 8 .b8 r[16384]) large(.param .b32 n) { ret; }\n"
                     ".func none() { ret; }\n.entry kernel(.param .b32 n) { ret; }\n");
  return program.run();
}

TEST(HostilePtx, AFunctionPointerMustPointExactlyAtAFunctionThatFits) {
  expect_clean(indirect_call("right"));
  for (const char* address : {"right+1", "right+8", "large", "none", "kernel", "0", "-1",
                              "0x6000000000A0", "large+16384"}) {
    const RunResult result = indirect_call(address);
    EXPECT_EQ(result.status, RunStatus::stopped) << address;
    EXPECT_EQ(only_finding(result).kind, FindingKind::trap) << address;
  }
}

TEST(HostilePtx, VariablesLieAtMultiplesOfTheirAlignment) {
  const std::string callee = R"(
.func (.param .b64 r) local_address() { .local .b8 own[8]; .local .align 64 .b8 aligned[8];
  .reg .b64 %a; mov.u64 %a, aligned; cvta.local.u64 %a, %a; st.param.b64 [r], %a; ret; })";
  const std::string scope =
      ".const .b8 a[3]; .const .align 4096 .b8 b[8]; .global .b8 c[5]; .global .align 1024 .b8 "
      "d[8]; .shared .b8 e[5]; .shared .align 2048 .b8 f[8]; .extern .shared .align 4096 .b8 g[];";
  for (const auto& [name, align] : {std::pair("b", 4096), {"d", 1024}, {"f", 2048}, {"g", 4096}}) {
    EXPECT_EQ(lanes(fmt::format("mov.u64 %rd0, {}; cvt.u32.u64 %x, %rd0; and.b32 %x, %x, {};", name,
                                align - 1),
                    scope),
              std::vector<std::uint32_t>(32, 0))
        << name;
  }
  EXPECT_EQ(lanes(".local .b8 own[20]; st.local.u8 [own], 1; { .param .b64 answer; call (answer), "
                  "local_address; ld.param.u64 %rd0, [answer]; } cvt.u32.u64 %x, %rd0; and.b32 "
                  "%x, %x, 63;",
                  callee),
            std::vector<std::uint32_t>(32, 0));
}

TEST(HostilePtx, DynamicSharedMemoryDoesNotWrapAround) {
  PtxProgram program(
      ".shared .b8 tile[2048]; mov.u64 %rd0, pool; st.shared.u32 [%rd0], 1; st.shared.u8 [tile], "
      "1;",
      ".extern .shared .align 16 .b8 pool[];\n");
  program.shape.shared_bytes = ~std::uint64_t{0} - 1023;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::not_launched);
  EXPECT_EQ(only_finding(result).kind, FindingKind::bad_launch);
}

TEST(HostilePtx, DeepRecursionWithManyRegistersIsAnOverflow) {
  std::string body = ".reg .b64 %big<2000>;";
  for (int i = 0; i < 2000; ++i) body += fmt::format("mov.u64 %big{}, {};\n", i, i);
  PtxProgram program("call dive, ();", ".func dive() {" + body + "call dive, (); ret; }\n");
  program.shape.block = {1024, 1, 1};
  program.step_limit = 0;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  EXPECT_THAT(only_finding(result).message, HasSubstr("overflows"));
}

TEST(HostilePtx, LocalArraysMayBeAsLargeAsOnACard) {
  PtxProgram program(".local .b8 a[400000]; st.local.u8 [a+399999], 1;");
  EXPECT_EQ(program.run().status, RunStatus::completed);
  program.shape.block = {1024, 1, 1};  // 400 MB
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::unsupported);
  EXPECT_THAT(only_finding(result).message, HasSubstr("400000 bytes a thread"));
}

TEST(HostilePtx, ExtremeAddressesAreFindings) {
  for (const char* space : {"global", "shared", "local", "param", "const"}) {
    for (const char* address : {"0x8000000000000000", "0x7fffffffffffffff", "-4", "0xffffffff"}) {
      PtxProgram program(fmt::format(
          ".shared .b8 tile[64]; mov.u64 %rd0, {}; mov.u64 %rd1, tile; ld.{}.u8 %r0, [%rd0+1];",
          address, space));
      const RunResult result = program.run();
      EXPECT_EQ(only_finding(result).kind, FindingKind::out_of_bounds) << space << address;
    }
  }
}

TEST(HostilePtx, ConstantLoadsReachNoOtherMemory) {
  PtxProgram program("ld.const.u32 %r1, [%in];");
  program.buffer("in", std::vector<std::uint32_t>(32, 1));
  EXPECT_EQ(only_finding(program.run()).kind, FindingKind::out_of_bounds);
}

TEST(HostilePtx, RegistersHoldNothingOfEarlierBlocks) {
  PtxProgram program(
      ".reg .b32 %never; mov.u32 %x, %never; mov.u32 %never, 7; st.global.u32 [%out_at], %x;"
      ".reg .b32 %x;");
  program.shape.grid = {64, 1, 1};
  program.buffer("out", std::vector<std::uint32_t>(64 * 32, 1));
  program.run();
  EXPECT_THAT(program.contents<std::uint32_t>("out"), ::testing::Each(kPoison));
}

TEST(HostilePtx, AFenceInAnAliasedFunctionIsSeen) {
  for (const char* declaration : {"", ".func g();\n"}) {
    PtxProgram program("call g, ();",
                       std::string(declaration) + ".func f() { membar.gl; ret; }\n.alias g, f;\n");
    EXPECT_EQ(program.run().status, RunStatus::completed);
  }
}

TEST(HostilePtx, AVoteOfTwoKindsIsUnsupported) {
  for (const char* kinds : {"all.ballot", "ballot.any", "uni.ballot", "all.any"}) {
    PtxProgram program(fmt::format("vote.sync.{}.b32 %r1, %p1, -1;", kinds));
    EXPECT_EQ(only_finding(program.run()).kind, FindingKind::unsupported_instruction) << kinds;
  }
}

TEST(HostilePtx, ACallByNumberReachesNoFunctionThatTheKernelDoesNotName) {
  // What is known of a kernel (fences, shared variables, narrow accesses) covers only functions
  // that it names.
  PtxProgram program("pr: .callprototype _ ();\nmov.u64 %rd0, 0x600000000000;\ncall %rd0, (), pr;",
                     ".func fenced() { membar.gl; ret; }\n.func other() { call fenced; ret; }\n");
  const Finding finding = only_finding(program.run());
  EXPECT_EQ(finding.kind, FindingKind::trap);
  EXPECT_THAT(finding.message, HasSubstr("never takes the address"));
}

TEST(HostilePtx, NamesThatGrowWhenDemangledStayMangled) {
  std::string name = "_Z1fSt4pairIiiE";
  for (int i = 0; i < 60; ++i) name += fmt::format("S_IS{0:X}_S{0:X}_E", i % 10);
  const auto module = load_module(kHead + ".entry " + name + "() { ret; }");
  ASSERT_TRUE(module);
  EXPECT_EQ(kernels(**module).at(0).signature, name);
}

TEST(HostilePtx, ManyDifferentMistakesAreBounded) {
  std::string body;
  for (int i = 0; i < 6000; ++i)
    body += fmt::format(".loc 1 {} 1\nst.global.u32 [{}], 1;\n", i + 1, 4 * i);
  PtxProgram program(body);
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed);
  EXPECT_LE(result.findings.size(), 4096u);
}

TEST(HostilePtx, ATableThatManyBranchesUseIsBounded) {
  std::string table = "t: .branchtargets L";
  for (int i = 0; i < 5000; ++i) table += ", L";
  EXPECT_FALSE(load_module(module_of(table + ";\nL:\n" + repeated("brx.idx %r0, t;\n", 5000))));
}

TEST(HostilePtx, LargeTextsLoadInLinearTime) {
  // Tens of thousands of branches, labels and blocks; quadratic work would take minutes.
  std::string body;
  for (int i = 0; i < 30'000; ++i)
    body += fmt::format("L{}: @%p1 bra L{};\n", i, (i * 7919) % 30'000);
  EXPECT_TRUE(load_module(module_of(body)));
  std::string scope;
  for (int i = 0; i < 4000; ++i) scope += fmt::format(".func f{}() {{ ret; }}\n", i);
  EXPECT_TRUE(load_module(module_of("ret;", scope)));
  EXPECT_TRUE(load_module(module_of(repeated("{ .reg .b32 a; mov.u32 a, 1; }\n", 30'000))));
  EXPECT_TRUE(load_module(module_of(repeated("bra END; wgmma.fence;\n", 30'000) + "END:")));
  std::string backwards;
  for (int i = 30'000; i > 0; --i)
    backwards += fmt::format("add.u64 %rd{}, %rd{}, 4;\n", i % 150 + 1, i % 150);
  EXPECT_TRUE(load_module(module_of(backwards)));
  EXPECT_FALSE(load_module(module_of("add" + repeated(".u32", 100'000) + " %r0, %r1, %r2;")));
  EXPECT_FALSE(load_module(module_of("mov.u32 %r0, " + repeated("a", 100'000) + ";")));
  EXPECT_FALSE(load_module(module_of(repeated("ret;\n", 600'000))));
}

/// Returns why the body does not load.
LoadError refused(const std::string& body, const std::string& scope = "") {
  const auto module = load_module(module_of(body, scope));
  EXPECT_FALSE(module) << body;
  return module ? LoadError{} : module.error();
}

TEST(LoadFaults, AnInstructionThatPtxLacksIsNotPtx) {
  for (const char* body : {"frobnicate;", "bra END; nonsense.u32 %r0, %r1; END:", "ret; nonsense;",
                           "@%p0 wgmmma.fence;"}) {
    const LoadError error = refused(body);
    EXPECT_EQ(error.fault, LoadFault::not_ptx) << body;
    EXPECT_THAT(error.message, HasSubstr("PTX has no instruction")) << body;
  }
}

TEST(LoadFaults, AnUnsupportedInstructionIsReportedWhereItIsReached) {
  for (const char* body : {"tcgen05.fence::before_thread_sync;", "cp.async.bulk.commit_group;",
                           "txq.width.b32 %r0, [t];"})
    EXPECT_TRUE(load_module(module_of(body))) << body;
}

TEST(LoadFaults, VectorsOfEightAreNotPtxBeforeTheirArchitecture) {
  const std::string load = "ld.global.v8.f32 " + registers("%f", 8) + ", [%rd0];";
  EXPECT_THAT(refused(load).message, HasSubstr("sm_100"));
  std::string newer = module_of(load);
  newer.replace(newer.find("sm_90"), 5, "sm_100a");
  EXPECT_TRUE(load_module(newer));
}

TEST(LoadFaults, NoInstructionIsSimulatedWithAnUnsimulatedWord) {
  constexpr std::string_view kNames[] = {
#define INSTRUCTION(name, ...) name,
#include "grader/simulator/ptx/instruction_set.def"
  };
  for (const std::string_view name : kNames) {
    if (name.empty() || name == "bra" || name == "brx") continue;  // these need targets first
    PtxProgram program(std::string(name) + ".frobnicate;");
    EXPECT_EQ(program.run().status, RunStatus::unsupported) << name;
  }
  EXPECT_EQ(PtxProgram("bra.frobnicate END; END:").run().status, RunStatus::unsupported);
}

TEST(LoadFaults, AccessesWithUnsimulatedWordsAreUnsupported) {
  for (const char* body : {"ld.global.proxy.u32 %r0, [%rd0];", "st.async.u32 [%rd0], %r0;"}) {
    PtxProgram program(body);
    EXPECT_EQ(program.run().status, RunStatus::unsupported) << body;
  }
}

TEST(LoadFaults, ExceedingALimitNamesTheVariableOrFunction) {
  struct Case {
    const char* body;
    const char* scope;
    const char* name;
  };
  for (const Case& test : {Case{"ret;", ".global .b8 table[536870912];", "table"},
                           Case{"ret;", ".global .b8 a[200000000]; .global .b8 b[200000000];", "b"},
                           Case{"ret;", ".const .b8 small[70000];", "small"},
                           Case{".local .b8 own[274877906944]; ret;", "", "test"}}) {
    const LoadError error = refused(test.body, test.scope);
    EXPECT_EQ(error.fault, LoadFault::over_limit) << test.name;
    EXPECT_EQ(error.name, test.name);
  }
}

TEST(LoadFaults, PtxThatTheParserLacksIsUnknown) {
  EXPECT_EQ(refused("ret;", ".global .texref picture;").fault, LoadFault::unknown);
  EXPECT_EQ(refused("ret;", ".tex .u32 picture;").fault, LoadFault::unknown);
  EXPECT_EQ(refused("ret;", ".nonsense;").fault, LoadFault::not_ptx);
}

TEST(LoadFaults, ExpressionsOfConstantsAreUnknown) {
  for (const char* value : {"3 + 4", "(3 + 4 * 2) << 1", "-(3)", "~3", "1 ? 2 : 3"})
    EXPECT_EQ(refused(std::string("mov.u32 %r0, ") + value + "; ret;").fault, LoadFault::unknown)
        << value;
  EXPECT_EQ(refused("mov.u32 %r0, 3 4; ret;").fault, LoadFault::not_ptx);
}

}  // namespace
}  // namespace tessera::test
