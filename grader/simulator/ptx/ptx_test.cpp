// The parser: what it reads, and what it refuses, with the line.
#include "grader/simulator/ptx/ptx.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "grader/simulator/simulator.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ptx::Module parsed(const std::string& text) {
  Expected<ptx::Module, LoadError> module = ptx::parse(text);
  if (!module) {
    ADD_FAILURE() << module.error().str() << "\n" << text;
    return {};
  }
  return *std::move(module);
}

ptx::Function kernel_of(const std::string& body) {
  ptx::Module module = parsed(kHead + ".visible .entry k()\n{\n" + body + "\nret;\n}\n");
  if (module.functions.empty()) return {};
  return module.functions.front();
}

TEST(Parser, SplitsAnInstruction) {
  const ptx::Function kernel = kernel_of(
      ".reg .b32 %r<5>; .reg .b64 %rd; .reg .pred %p, %q;\n@!%p ld.global.v4.f32 {%r1, _, %r3, "
      "%r4}, [%rd+-16];\nsetp.lt.and.s32 %p|%q, %r1, -5, !%p;");
  ASSERT_GE(kernel.body.size(), 2u);
  const ptx::Instruction& load = kernel.body[0];
  EXPECT_THAT(load.words, ElementsAre("ld", "global", "v4", "f32"));
  EXPECT_EQ(load.guard, "%p");
  EXPECT_TRUE(load.guard_negated);
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].kind, ptx::Operand::Kind::vector);
  ASSERT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(load.operands[0].elements[1].kind, ptx::Operand::Kind::sink);
  EXPECT_TRUE(load.operands[1].address);
  EXPECT_EQ(load.operands[1].offset, -16);
  EXPECT_EQ(load.ptx_line, 7);
  const ptx::Instruction& compare = kernel.body[1];
  ASSERT_EQ(compare.operands.size(), 4u);
  EXPECT_EQ(compare.operands[0].second, "%q");
  EXPECT_EQ(compare.operands[2].value, -5);
  EXPECT_TRUE(compare.operands[3].negated);
}

TEST(Parser, ReadsNumbersOfEveryKind) {
  const auto value = [](const std::string& literal) {
    const ptx::Function kernel = kernel_of(".reg .b64 %x; mov.b64 %x, " + literal + ";");
    return kernel.body.empty() ? ptx::Operand{} : kernel.body[0].operands.at(1);
  };
  EXPECT_EQ(value("42").value, 42);
  EXPECT_EQ(value("0x1F").value, 31);
  EXPECT_EQ(value("0X1f").value, 31);
  EXPECT_EQ(value("017").value, 15);
  EXPECT_EQ(value("0b101").value, 5);
  EXPECT_EQ(value("-7").value, -7);
  EXPECT_EQ(value("7U").value, 7);
  EXPECT_EQ(value("18446744073709551615").value, -1);
  EXPECT_EQ(value("0xFFFFFFFFFFFFFFFF").value, -1);
  EXPECT_EQ(value("0f3F800000").kind, ptx::Operand::Kind::float32);
  EXPECT_EQ(value("0f3F800000").value, 0x3f800000);
  EXPECT_EQ(value("0d3FF0000000000000").kind, ptx::Operand::Kind::float64);
  EXPECT_EQ(value("0d3FF0000000000000").value, 0x3ff0000000000000);
}

TEST(Parser, IgnoresCommentsAndSpacing) {
  const ptx::Function kernel = kernel_of(
      "/* a\n comment ; */ .reg .b32 %r<2>; // another ;\n\n\t mov.u32 "
      "%r0,/**/1;add.s32\n%r1,%r0,\n2;");
  ASSERT_EQ(kernel.body.size(), 3u);
  EXPECT_EQ(kernel.body[1].words.front(), "add");
}

TEST(Parser, ReadsCarriageReturns) {
  std::string text =
      kHead +
      ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<2>;\nmov.u32 %r0, 5; // note\nret;\n}\n";
  std::string crlf;
  for (const char letter : text)
    crlf += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  const ptx::Module module = parsed(crlf);
  ASSERT_EQ(module.functions.size(), 1u);
  ASSERT_EQ(module.functions[0].body.size(), 2u);
  EXPECT_EQ(module.functions[0].body[0].ptx_line, 7);
}

TEST(Parser, KnowsDirectivesAndSkipsOthers) {
  const ptx::Module module = parsed(
      kHead +
      ".file 1 \"a b.cu\", 1234, 99\n.pragma \"nounroll\";\n.weak .global .align 4 .u32 w;\n.alias "
      "one, two;\n"
      ".visible .entry k() .maxntid 128, 1, 1 .minnctapersm 2 .reqntid 128\n{\n.pragma "
      "\"nounroll\";\n.reg .b32 %r<2>;\n.loc 1 12 3\nmov.u32 %r0, 1;\n"
      ".loc 1 30 7, function_name $L__info_string0, inlined_at 1 14 5\nmov.u32 %r1, 1;\nret;\n}\n"
      ".section .debug_str\n{\n$L__info_string0:\n.b8 95, 90\n.b8 0\n}\n");
  ASSERT_EQ(module.files.at(1), "a b.cu");
  ASSERT_FALSE(module.functions.empty());
  const ptx::Function& kernel = module.functions.front();
  ASSERT_EQ(kernel.body.size(), 3u);
  EXPECT_EQ(kernel.body[0].location.line, 12);
  EXPECT_EQ(kernel.body[0].location.column, 3);
  EXPECT_EQ(kernel.body[1].location.line, 30);
  EXPECT_EQ(kernel.body[1].location.inlined_line, 14);
}

TEST(Parser, LaysOutVariables) {
  const ptx::Module module = parsed(
      kHead +
      ".global .align 8 .b8 view[24];\n.const .f32 half[2] = {0.5, 0f3F800000};\n.extern .shared "
      ".align 16 .b8 pool[];\n.global .u32 open[] = {1, 2, 3};\n.global .align 4 .v4 .f32 four;\n");
  ASSERT_EQ(module.variables.size(), 5u);
  EXPECT_EQ(module.variables[0].size, 24u);
  EXPECT_EQ(module.variables[0].align, 8u);
  EXPECT_EQ(module.variables[1].space, ptx::Space::constant);
  EXPECT_THAT(module.variables[1].data, ElementsAre(0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f));
  EXPECT_TRUE(module.variables[2].external);
  EXPECT_EQ(module.variables[3].size, 12u);
  EXPECT_EQ(module.variables[4].size, 16u);
}

struct Malformed {
  const char* name;
  std::string text;
  int line;

  friend void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.text; }
};

class MalformedPtx : public ::testing::TestWithParam<Malformed> {};

std::string in_kernel(const std::string& line_six) {
  return kHead + ".visible .entry k()\n{\n" + line_six + "\nret;\n}\n";
}

INSTANTIATE_TEST_SUITE_P(
    Parser, MalformedPtx,
    ::testing::Values(
        Malformed{"MissingSemicolon", in_kernel(".reg .b32 %r<2>; mov.u32 %r0, 1\nmov.u32 %r1, 2;"),
                  7},
        Malformed{"UnclosedBody", kHead + ".visible .entry k()\n{\nret;\n", 7},
        Malformed{"UnclosedComment", kHead + "/* no end\n.visible .entry k() { ret; }\n", 4},
        Malformed{"UnclosedString", kHead + ".file 1 \"kernel.cu\n.visible .entry k() { ret; }\n",
                  4},
        Malformed{"UnclosedAddress", in_kernel(".reg .b64 %rd; ld.global.u32 %rd, [%rd;"), 6},
        Malformed{"UnclosedVector",
                  in_kernel(".reg .b32 %r<2>; .reg .b64 %rd; ld.global.v2.u32 {%r0, %r1, [%rd];"),
                  6},
        Malformed{"BadNumber", in_kernel(".reg .b32 %r; mov.u32 %r, 0xZZ;"), 6},
        Malformed{"NumberOverSixtyFourBits",
                  in_kernel(".reg .b64 %r; mov.u64 %r, 99999999999999999999999;"), 6},
        Malformed{"BadFloatPattern", in_kernel(".reg .f32 %f; mov.f32 %f, 0f3F80;"), 6},
        Malformed{"BadRegisterRange", in_kernel(".reg .b32 %r<>;"), 6},
        Malformed{"HugeRegisterRange", in_kernel(".reg .b32 %r<4000000000000>;"), 6},
        Malformed{"BadType", in_kernel(".reg .q32 %r;"), 6},
        Malformed{"UnknownLabel", in_kernel("bra NOWHERE;"), 6},
        Malformed{"DuplicateLabel", in_kernel("A: A: ret;"), 6},
        Malformed{"StrayCharacter", in_kernel("mov.u32 ?, 1;"), 6},
        Malformed{"TooManyInitialisers",
                  kHead + ".global .u32 a[2] = {1, 2, 3};\n.visible .entry k() { ret; }\n", 4},
        Malformed{"HugeArray",
                  kHead + ".global .b8 a[99999999999999999999];\n.visible .entry k() { ret; }\n",
                  4},
        Malformed{"UnknownSymbolInInitialiser",
                  kHead + ".global .u64 a[1] = {missing};\n.visible .entry k() { ret; }\n", 4},
        Malformed{"TextInsteadOfPtx", "int main() { return 0; }\n", 1}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(MalformedPtx, IsAnErrorWithTheLine) {
  const auto module = load_module(GetParam().text);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().line, GetParam().line) << module.error().str();
  EXPECT_NE(module.error().message, "");
}

TEST(Parser, AnEmptyTextHasNoKernels) {
  const auto module = load_module("");
  if (module) {
    EXPECT_TRUE(kernels(**module).empty());
  } else {
    EXPECT_NE(module.error().message, "");
  }
}

std::string a_whole_program() {
  PtxProgram program(
      ".shared .align 4 .b8 tile[64]; @%p0 bra END; ld.global.v2.u32 {%r0, %r1}, [%out_at+8]; .loc "
      "1 4 2\n END: bar.sync 0;",
      ".global .u32 t[2] = {1, 2};\n.func (.param .b32 r) f(.param .b32 n);\n");
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  return program.text();
}

/// Expects a module or an error with a message, but no exception.
void expect_no_exception(const std::string& text, const std::string& what) {
  try {
    const auto module = load_module(text);
    if (!module) {
      EXPECT_NE(module.error().message, "") << what;
    }
  } catch (...) {
    ADD_FAILURE() << "exception: " << what;
  }
}

TEST(Parser, ATextCutAnywhereCausesNoException) {
  const std::string text = a_whole_program();
  ASSERT_TRUE(load_module(text));
  for (std::size_t length = 0; length < text.size(); ++length) {
    expect_no_exception(text.substr(0, length), fmt::format("the first {} characters", length));
  }
}

TEST(Parser, AnOddCharacterCausesNoException) {
  const std::string text = a_whole_program();
  for (const char odd : std::string_view("{}[]();,.%0x<>\"!@|:-_ \n~/*")) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string changed = text;
      changed[i] = odd;
      const std::size_t first = i < 10 ? 0 : i - 10;
      expect_no_exception(changed, changed.substr(first, 20));
    }
  }
}

TEST(Parser, AnUndeclaredPredicateCausesNoException) {
  expect_no_exception(in_kernel("@%q bra END;\nEND:"), "a guarded branch");
  expect_no_exception(in_kernel(".reg .b32 %r; @%r bra END;\nEND:"),
                      "a guard that is no predicate");
  expect_no_exception(in_kernel(".reg .b32 %r; @!%q mov.u32 %r, 1;"), "a guarded move");
}

TEST(Parser, DeepNestingCausesNoOverflow) {
  const std::string open(20000, '{'), close(20000, '}');
  EXPECT_NO_THROW({
    const auto module = load_module(in_kernel(open + close));
    if (!module) {
      EXPECT_NE(module.error().message, "");
    }
  });
  EXPECT_NO_THROW({
    const auto module = load_module(in_kernel(open));
    EXPECT_FALSE(module);
  });
}

}  // namespace
}  // namespace tessera::test
