#include "grader/compile/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const DiagnosticContext kContext{.file_name = "kernel.cu",
                                 .epilogue_message = "launch is missing",
                                 .directories = {"/kit/include"},
                                 .source = "#include <tessera/lab.cuh>\n"};

TEST(ClangLog, ErrorsComeInSourceOrderBeforeWarnings) {
  const auto findings = findings_of(
      parse_clang_log("kernel.cu:2:3: warning: unused variable 'x' [-Wunused-variable]\n"
                      "kernel.cu:9:1: error: extraneous closing brace ('}')\n"
                      "kernel.cu:4:12: error: use of undeclared identifier 'blah'\n"
                      "1 warning and 2 errors generated when compiling for sm_80.\n"),
      kContext);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].line, 4);
  EXPECT_EQ(findings[0].column, 12);
  EXPECT_EQ(findings[0].message.str(), "use of undeclared identifier 'blah'");
  EXPECT_EQ(findings[1].line, 9);
  EXPECT_EQ(findings[2].severity, Severity::warning);
  EXPECT_EQ(findings[2].kind, FindingKind::compiler_warning);
  EXPECT_EQ(findings[2].message.str(), "unused variable 'x'");
}

TEST(ClangLog, AnErrorInAHeaderIsReportedAtTheStudentsLineThatLedThere) {
  const auto findings = findings_of(
      parse_clang_log(
          "In file included from kernel.cu:1:\n"
          "/kit/include/tessera/lab.cuh:12:9: error: no member named 'x' in 'int'\n"
          "/kit/include/tessera/lab.cuh:20:3: note: in instantiation of member\n"
          "kernel.cu:7:5: note: in instantiation of function template requested here\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 7);
  EXPECT_THAT(findings[0].message, HasSubstr("tessera/lab.cuh:12"));
  EXPECT_THAT(findings[0].message, Not(HasSubstr("/kit")));
  const auto included = findings_of(
      parse_clang_log("In file included from kernel.cu:2:\n"
                      "/kit/include/tessera/lab.cuh:12:9: error: unknown type name 'dim3'\n"
                      "kernel.cu:9:5: error: expected ';'\n"),
      kContext);
  ASSERT_EQ(included.size(), 2u);
  EXPECT_EQ(included[0].line, 2);
  EXPECT_EQ(included[1].line, 9);
}

TEST(ClangLog, ErrorsInTheEpilogueAreOneFinding) {
  const auto findings = findings_of(
      parse_clang_log("tessera-launch:1:85: error: no matching function for call to 'launch'\n"
                      "kernel.cu:3:28: note: candidate function not viable: requires 2 arguments\n"
                      "tessera-launch:2:1: error: another\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message.str(), "launch is missing");
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_THAT(findings[0].hint, HasSubstr("no matching function"));
}

TEST(ClangLog, NotesThatNeedTheirPlaceAreNotHints) {
  const auto findings = findings_of(
      parse_clang_log("kernel.cu:3:1: error: use of undeclared identifier 'x'; did you mean 'y'?\n"
                      "kernel.cu:2:7: note: 'y' declared here\n"
                      "kernel.cu:5:1: error: call to 'f' is ambiguous\n"
                      "kernel.cu:1:5: note: candidate function\n"
                      "kernel.cu:1:9: note: add an 'f' of your own\n"),
      kContext);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].hint.str(), "");
  EXPECT_EQ(findings[1].hint.str(), "add an 'f' of your own");
}

TEST(ClangLog, AMessageOfTheOptimizerAboutALoopIsReportedAtTheLoop) {
  const auto findings = findings_of(
      parse_clang_log("kernel.cu:5:17: warning: loop not unrolled: the optimizer was unable to "
                      "perform the requested transformation [-Wpass-failed=transform-warning]\n"
                      "kernel.cu:5:17: note: could not determine the original source location for "
                      "kernel.cu:13:5\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 13);
  EXPECT_EQ(findings[0].column, 5);
  EXPECT_EQ(findings[0].message.str(), "this loop is not unrolled");
  EXPECT_THAT(findings[0].hint, HasSubstr("#pragma unroll"));
}

TEST(ClangLog, AnErrorOfTheCodeGeneratorHasNoPlace) {
  const auto diagnostics = parse_clang_log(
      "fatal error: error in backend: Undefined external symbol \"__udivti3\"\n"
      "clang: error: clang frontend command failed with exit code 70\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].message, "Undefined external symbol \"__udivti3\"");
  EXPECT_EQ(diagnostics[0].severity, Severity::error);
  EXPECT_EQ(diagnostics[0].place.line, 0);
}

TEST(NvrtcLog, LambdasOfAnyTypeAreNoMistake) {
  constexpr std::string_view kLambda =
      "kernel.cu(2): error: A function without execution space annotations "
      "(__host__/__device__/__global__) is considered a host function\n"
      "    auto smaller = [](auto x, auto y) { return x < y ? x : y; };\n"
      "                     ^\n"
      "\n";
  const std::string other =
      "kernel.cu(5): error: A function without execution space annotations "
      "(__host__/__device__/__global__) is considered a host function\n"
      "    struct L { float v; float get() const { return v; } } l{2};\n"
      "                              ^\n"
      "\n";
  EXPECT_TRUE(parse_nvrtc_log(kLambda).empty());
  EXPECT_TRUE(refuses_only_generic_lambdas(kLambda));
  EXPECT_FALSE(refuses_only_generic_lambdas(other));
  EXPECT_FALSE(refuses_only_generic_lambdas(std::string(kLambda) + other));
  EXPECT_FALSE(refuses_only_generic_lambdas(""));
  const auto findings = findings_of(parse_nvrtc_log(std::string(kLambda) + other), kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 5);
}

TEST(ClangLog, OnlyTheStudentsOwnErrorsAreReported) {
  const auto findings =
      findings_of(parse_clang_log("kernel.cu:3:1: error: expected ';'\n"
                                  "tessera-launch:1:8: error: use of undeclared identifier\n"),
                  kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 3);
}

TEST(NvrtcLog, ColumnsComeFromTheCaret) {
  const auto findings = findings_of(
      parse_nvrtc_log(
          "kernel.cu(3): error: identifier \"blah\" is undefined\n"
          "  __global__ void k(int*p) { p[0] = blah; }\n"
          "                                    ^\n"
          "\n"
          "kernel.cu(6): warning #177-D: variable \"a\" was declared but never referenced\n"
          "  \tint a;\n"
          "  \t    ^\n"
          "\n"
          "Remark: The warnings can be suppressed with \"-diag-suppress <number>\"\n"
          "\n"
          "1 error detected in the compilation of \"kernel.cu\".\n"),
      kContext);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_EQ(findings[0].column, 35);
  EXPECT_EQ(findings[0].message.str(), "identifier \"blah\" is undefined");
  EXPECT_EQ(findings[1].column, 6);
  EXPECT_EQ(findings[1].severity, Severity::warning);
}

TEST(NvrtcLog, AMessageOfMegabytesIsCut) {
  const auto findings = findings_of(
      parse_nvrtc_log("kernel.cu(3): error: #error directive: " + std::string(500'000, 'x') + "\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_LT(findings[0].message.str().size(), 2100u);
  EXPECT_TRUE(findings[0].message.str().ends_with("x ..."))
      << findings[0].message.str().substr(1900);
}

TEST(NvrtcLog, InstantiationsLeadBackToTheStudentsLine) {
  const auto findings = findings_of(
      parse_nvrtc_log(
          "/kit/include/tessera/lab.cuh(14): error: expression must have class type\n"
          "    return a.x;\n"
          "           ^\n"
          "          detected during instantiation of \"T foo(T) [with T=int]\" at line 6 "
          "of kernel.cu\n"
          "\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 6);
  EXPECT_THAT(findings[0].message, HasSubstr("tessera/lab.cuh:14"));
}

TEST(NvrtcLog, AMessageOfSeveralLinesStaysWhole) {
  const auto findings = findings_of(
      parse_nvrtc_log("kernel.cu(2): error: more than one instance of overloaded function \"sqrt\" "
                      "matches the argument list:\n"
                      "            function \"sqrt(float)\"\n"
                      "            argument types are: (int)\n"
                      "  *p = sqrt(4);\n"
                      "       ^\n"
                      "\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message, HasSubstr("argument types are: (int)"));
  EXPECT_THAT(findings[0].message, Not(HasSubstr("*p")));
  EXPECT_EQ(findings[0].column, 6);
}

TEST(NvrtcLog, JitModeMessagesAreWordedForStudents) {
  const auto findings = findings_of(
      parse_nvrtc_log("kernel.cu(2): error: A function without execution space annotations "
                      "(__host__/__device__/__global__) is considered a host function, and host "
                      "functions are not allowed in JIT mode.\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message, HasSubstr("host function"));
  EXPECT_THAT(findings[0].message, Not(HasSubstr("JIT")));
  EXPECT_THAT(findings[0].hint, HasSubstr("__device__"));
}

TEST(NvrtcLog, TheAssemblersLinesAreLinesOfThePtx) {
  const auto diagnostics = parse_nvrtc_log(
      "ptxas application ptx input, line 31; error   : Not a name of any known instruction: "
      "'frobnicate'\nptxas fatal   : Ptx assembly aborted due to errors\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].place.file, kAssembledPtx);
  EXPECT_EQ(diagnostics[0].place.line, 31);
  EXPECT_EQ(diagnostics[0].message, "Not a name of any known instruction: 'frobnicate'");
}

TEST(NvrtcLog, AnErrorOfTheAssemblerHasNoPlace) {
  const auto findings = findings_of(
      parse_nvrtc_log("ptxas error   : Entry function '_Z1kPi' uses too much shared data (0x40000 "
                      "bytes, 0xc000 max)\nptxas fatal   : Ptx assembly aborted due to errors\n"),
      kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 0);
  EXPECT_THAT(findings[0].message, HasSubstr("_Z1kPi"));
  EXPECT_THAT(findings[0].hint, HasSubstr("48 KiB"));
}

TEST(Findings, AFileThatMayNotBeIncludedIsNotQuoted) {
  const auto findings = findings_of(
      parse_nvrtc_log("/etc/passwd(1): error: identifier \"root\" is undefined\n"), kContext);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message, Not(HasSubstr("root")));
  EXPECT_THAT(findings[0].message, Not(HasSubstr("/etc")));
}

TEST(Findings, AnUnclosedBraceIsReportedFirst) {
  DiagnosticContext context = kContext;
  context.source = "#include <tessera/lab.cuh>\n\n\nvoid f() {\n";
  const auto findings =
      findings_of(parse_clang_log("tessera-launch:9:1: error: expected '}'\n"), context);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 4);
  EXPECT_TRUE(findings_of({}, context).empty());
}

TEST(Findings, AFloodIsCut) {
  std::string log;
  for (int i = 1; i < 1000; ++i) log += "kernel.cu:" + std::to_string(i) + ":1: error: no\n";
  EXPECT_EQ(findings_of(parse_clang_log(log), kContext).size(), 20u);
}

}  // namespace
}  // namespace tessera
