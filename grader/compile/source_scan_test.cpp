#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/compile/compiler.h"
#include "grader/compile/host_code.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

std::vector<Finding> scan(const std::string& source) {
  return scan_source(Source(source), "kernel.cu");
}

/// Expects one finding, of `kind`, in `line`.
void expect_one(const std::string& source, FindingKind kind, int line) {
  const std::vector<Finding> findings = scan(source);
  ASSERT_EQ(findings.size(), 1u) << source;
  EXPECT_EQ(findings[0].kind, kind) << source;
  EXPECT_EQ(findings[0].line, line) << source;
  EXPECT_EQ(findings[0].file, "kernel.cu");
  EXPECT_FALSE(findings[0].hint.empty()) << source;
}

void expect_none(const std::string& source) {
  for (const Finding& finding : scan(source)) {
    ADD_FAILURE() << source << "\n" << finding.line << ": " << finding.message;
  }
}

TEST(ScanSource, NamesCharactersBeyondAsciiThatAreNotLetters) {
  struct {
    const char* source;
    const char* name;
    const char* hint;
  } const cases[] = {
      {"int\xc2\xa0"
       "a;",
       "a no-break space (U+00A0)", "type the blank again"},
      {"\xe2\x80\xa8"
       "int a;",
       "a line separator", "type it again"},
      {"\xc2\x85"
       "int a;",
       "a line separator", "type it again"},
      {"int a\xe2\x80\x8b;", "a character that cannot be seen (U+200B)", "type it again"},
      {"int a = 1 \xe2\x88\x92 2;", "a typographic minus", "type -"},
      {"int a = 1 \xc3\x97 2;", "a multiplication sign", "write *"},
      {"int a\xcd\xbe", "a Greek question mark", "type ;"},
      {"int a\xef\xbc\x9b", "a full-width sign", "type the plain sign"},
      {"#define A \xe2\x80\x9cx\xe2\x80\x9d", "a typographic quote", "straight quote"},
      {"int a \xe2\x86\x92 b;", "the character '\xe2\x86\x92' (U+2192)", "delete it"},
      {"int \xe4;", "the byte 0xE4", "UTF-8"},
  };
  for (const auto& [source, name, hint] : cases) {
    const std::vector<Finding> findings = scan(std::string("int before;\n") + source + "\n");
    ASSERT_FALSE(findings.empty()) << source;
    EXPECT_EQ(findings[0].kind, FindingKind::does_not_compile) << source;
    EXPECT_EQ(findings[0].line, 2) << source;
    EXPECT_THAT(findings[0].message, HasSubstr(name));
    EXPECT_THAT(findings[0].hint, HasSubstr(hint));
  }
  EXPECT_EQ(scan("int\xc2\xa0"
                 "a;")[0]
                .column,
            4);
}

TEST(ScanSource, NamesAStrangeCharacterOnce) {
  expect_one(
      "int\xc2\xa0"
      "a;\nint\xc2\xa0"
      "b;\n",
      FindingKind::does_not_compile, 1);
}

TEST(ScanSource, LeavesLettersCommentsAndStringsAlone) {
  expect_none(
      "int gr\xc3\xb6\xc3\x9f"
      "e, \xce\xb1, \xe5\x92\x8c, _\xd1\x8f;\n");
  expect_none("// 2 \xc3\x97 3 \xe2\x86\x92 6\xc2\xa0\n/* \xe2\x80\xa8 \xe4 */ int a;\n");
  expect_none("const char* t = \"\xc3\x97\xc2\xa0\xe2\x80\x9c\";\n");
}

TEST(SourceScan, AcceptsTheKitsAndTheToolkitsDeviceHeaders) {
  expect_none("#include <tessera/lab.cuh>\n#include \"tessera/limits.cuh\"\n");
  expect_none("#include <cuda_fp16.h>\n#include <cooperative_groups/reduce.h>\n#include <mma.h>\n");
  expect_none(
      "#include <cuda/std/cstdint>\n# /* why */ include /* not */ <cuda/barrier> // here\n");
}

TEST(SourceScan, IgnoresIncludesThatNoCompilerReads) {
  expect_none("#if 0\n#include <stdio.h>\n#if 1\n#include \"other.cuh\"\n#endif\n#endif\nint a;\n");
  expect_none(
      "#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>\n#else\n#include <tessera/lab.cuh>\n"
      "#endif\n");
}

TEST(SourceScan, ReportsWhichConditionsItFollows) {
  const std::vector<Finding> findings = scan("#ifdef MINE\n#include <stdio.h>\n#endif\nint a;\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].hint, HasSubstr("#ifndef __CUDACC_RTC__"));
  EXPECT_THAT(scan("#include <stdio.h>\n")[0].hint, Not(HasSubstr("#ifndef")));
}

TEST(SourceScan, RefusesEveryDisguiseOfAFileToInclude) {
  const std::string path = "\"/etc/passwd\"";
  for (const std::string& disguise : std::vector<std::string>{
           "#include " + path,
           "  #\tinclude" + path,
           "#include </etc/passwd>",
           "#inc\\\nlude " + path,
           "#\\\ninclude " + path,
           "%:include " + path,
           "%\\\n:include " + path,
           "?\?=include " + path,
           "/* a */ # /* b */ include /* c */ " + path,
           "#include_next " + path,
           "#import " + path,
           "#embed " + path,
           "#if 0\n#endif\n#include " + path,
           "#if 0\n#else\n#include " + path + "\n#endif",
           "#if 0\n#elif 1\n#include " + path + "\n#endif",
           "#if 0 + 1\n#include " + path + "\n#endif",
           "#if 1\n#include " + path + "\n#endif",
           "#if 00\n#include " + path + "\n#endif",
           "#ifdef __CUDACC_RTC__\n#include " + path + "\n#endif",
           "#ifndef __clang__\n#include " + path + "\n#endif",
           "#undef __CUDACC_RTC__\n#ifndef __CUDACC_RTC__\n#include " + path + "\n#endif",
           "#ifndef __CUDACC_RTC__\n#else\n#include " + path + "\n#endif",
           "/*\n#if 0\n*/\n#include " + path + "\n#endif",
           "// \\\n#if 0\n#include " + path + "\n#endif",
           "#define A \\\n#if 0\n#include " + path + "\n#endif",
           "#if 0\n#include <x>\n#if 1\n#endif\n#endif\n#include " + path,
           "#define FILE_NAME " + path + "\n#include FILE_NAME",
           "#if __has_include(" + path + ")\n#endif",
           "__device__ int d[__has_include(" + path + ") + 1];",
           "#define HAS __has_include\n",
           "#pragma GCC dependency " + path,
           "#pragma include_alias(\"a\", " + path + ")",
           "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")",
           "#define DO(x) _Pragma(#x)",
           "#include \"tessera/../../../etc/passwd\"",
           "#include <tessera/clang/math.cuh>",
           "#include \"tessera//lab.cuh\"",
           "#include <cuda/../../../../etc/passwd>",
           "#include \"other.cuh\"",
           "#include \"../03-tiled/kernel.cu\"",
           "#include",
           std::string("int R = 1; #define X \"\\\n#include ") + "\n#include " + path,
       }) {
    const std::vector<Finding> findings = scan(disguise);
    ASSERT_FALSE(findings.empty()) << disguise;
    bool forbidden = false;
    for (const Finding& finding : findings) {
      forbidden |= finding.kind == FindingKind::forbidden_include && finding.line > 0;
    }
    EXPECT_TRUE(forbidden) << disguise;
  }
}

TEST(SourceScan, IncludesInCommentsAndStringsAreIgnored) {
  expect_none("// #include <stdio.h>\n/*\n#include <stdio.h>\n*/\n__device__ int a;\n");
  expect_none("// a comment that goes on \\\n#include <stdio.h>\n__device__ int a;\n");
  expect_none("__constant__ int n = 1'000'000; // '\n__device__ char c = '\"';\n");
}

TEST(SourceScan, IncludesAfterThingsThatLookLikeStringsAreFound) {
  expect_one("__constant__ int n = 1'000;\n#include <vector>\n", FindingKind::forbidden_include, 2);
  expect_one("#if 0\ndon't\n#endif\n#include <vector>\n", FindingKind::forbidden_include, 4);
  expect_one("__device__ char c = '\"';\n#include <vector>\n", FindingKind::forbidden_include, 2);
  expect_one("#define R(x) x\n#define A R\n__device__ int i;\n#include <vector> // R\"(\n",
             FindingKind::forbidden_include, 4);
}

TEST(SourceScan, RawStringsAreRefusedBecauseCompilersDisagree) {
  // Clang keeps a splice inside a raw string, so that the string ends elsewhere.
  for (const char* text :
       {"__constant__ char t[] = R\"(\nx\n)\";\n", "__constant__ char t[] = u8R\"x(\n)x\";\n",
        "#define T R\"x( )x\\\n\" /* )x\";\n#include <vector>\n/**/\n"}) {
    const auto findings = scan(text);
    ASSERT_FALSE(findings.empty()) << text;
    EXPECT_THAT(findings[0].message, HasSubstr("raw string")) << text;
  }
}

TEST(SourceScan, TheTitleOfARegionIsNotAnInclude) {
  expect_none("#pragma region include the halo\n__device__ int a;\n#pragma endregion import\n");
}

TEST(SourceScan, BlanksBehindABackslashAreRefusedIfTheyMakeADifference) {
  for (const char* text : {"int a = 1 \\ \n;\n", "// on \\ \n#include <vector>\n", "/\\ \n* a */\n",
                           "/* a *\\ \n/ int b;\n/* c */\n", "#define A 1 \\\t\nint a;\n",
                           "// on \\ \n// and \\ \nint a;\n"}) {
    const auto findings = scan(text);
    ASSERT_FALSE(findings.empty()) << text;
    EXPECT_THAT(findings[0].message, HasSubstr("followed by blanks")) << text;
  }
  expect_none("/* \\ \n \\\t\n*/\n__device__ int a;\n");
  expect_none("// /|\\ \n// | \n// \\ \n\n__device__ int a;\n");
}

TEST(SourceScan, AStrayQuoteBeforeACommentIsRefusedBecauseCompilersDisagree) {
  for (const char* line : {"1'a /*", "don't /*", "don't R\"(", "\"open /*"}) {
    const auto findings =
        scan(std::string("#if 0\n") + line + "\n#endif\n#include <vector>\n// */ )\"\nint a;\n");
    ASSERT_FALSE(findings.empty()) << line;
    EXPECT_THAT(findings[0].message, HasSubstr("stray quote")) << line;
  }
  expect_none("__constant__ int n = 1'000'000; // many\n__device__ char c = 'a'; /* one */\n");
  expect_none("__constant__ int n = 1'024; /* a block */\n");
}

TEST(SourceScan, AQuoteBehindANameThatCompilersReadDifferentlyIsRefused) {
  for (const char* name : {"$R", "$u8R", "1$R", "\"a\"$R", "$L", "\xc3\xa9R"}) {
    const auto findings =
        scan(std::string("#if 0\n") + name + "\"(\" /* )\"\n#endif\n#include <vector>\n// */\n");
    ASSERT_FALSE(findings.empty()) << name;
    EXPECT_THAT(findings[0].message, HasSubstr("compilers read differently")) << name;
  }
  expect_none("__device__ int price$ = 1; // costs $\"5\"\n");
}

TEST(SourceScan, AHashBehindALongCommentIsRefusedBecauseCompilersDisagree) {
  for (const char* text :
       {"#if 0\nx /*\n*/ #else\nint a\n#endif\n", "int d; /*\n*/ #include <vector>\n",
        "#define Q /*\n*/ #else\n", "int d; /*\n*/ /* more */ %:undef A\n"}) {
    const auto findings = scan(text);
    ASSERT_FALSE(findings.empty()) << text;
    EXPECT_THAT(findings[0].message, HasSubstr("whether a directive may begin here")) << text;
  }
  expect_none("/*\n*/ #define A 1\nint d; /* two\nlines */ int e;\n#define S(x) #x /* long\n*/\n");
}

TEST(SourceScan, ATextWithALongCommentIsRefusedBecauseCompilersDisagree) {
  for (const char* name : {"warning x", "error", "pragma mark"}) {
    const auto findings =
        scan(std::string("#if 0\n#") + name + " /*\n#include <vector>\n//*/\n#endif\n");
    ASSERT_FALSE(findings.empty()) << name;
    EXPECT_THAT(findings[0].message, HasSubstr("never closed")) << name;
  }
  expect_none("#pragma unroll /* all */\n#warning a /* b */ c\n");
}

TEST(SourceScan, AnUnknownDirectiveHidesNoInclude) {
  // NVRTC ignores it behind this pragma.
  expect_one("#pragma nv_diag_suppress 11\n#if 1\n#elephant\n#include <vector>\n#endif\n",
             FindingKind::forbidden_include, 4);
}

TEST(SourceScan, AQuoteBehindANumberBeginsALiteralIfNoDigitFollows) {
  expect_one("#define Q 1'$ /* '\n#include <vector>\n// */\n", FindingKind::forbidden_include, 2);
}

TEST(SourceScan, ASuffixOfALiteralBeginsNoRawString) {
  expect_one("#define Z \"a\"R\"(\"\n#include <vector>\n// )\"\n", FindingKind::forbidden_include,
             2);
  expect_one("#define Z 'a'R\"(\"\n#include <vector>\n// )\"\n", FindingKind::forbidden_include, 2);
}

TEST(SourceScan, ABackslashBeforeBlanksIsRefusedBecauseCompilersDisagree) {
  const auto findings = scan("// comment \\ \n#include \"/etc/passwd\"\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::does_not_compile);
  EXPECT_EQ(findings[0].line, 1);
}

TEST(SourceScan, HabitualHeadersAreReportedAsNotNeeded) {
  const auto findings = scan("#include <cstdio>\n#include <cuda_runtime.h>\n#include <stdint.h>\n");
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_THAT(findings[0].hint, HasSubstr("printf is built in; delete the line"));
  EXPECT_THAT(findings[1].hint, HasSubstr("delete the line"));
  EXPECT_THAT(findings[2].hint, HasSubstr("tessera/limits.cuh"));
  EXPECT_EQ(findings[2].line, 3);
}

TEST(SourceScan, LineDirectivesAreRefused) {
  expect_one("__device__ int a;\n#line 1 \"tessera-launch\"\n", FindingKind::does_not_compile, 2);
  expect_one("# 7 \"other.cu\"\n__device__ int a;\n", FindingKind::does_not_compile, 1);
}

TEST(SourceScan, RefusesFilesThatAreNoSource) {
  EXPECT_THAT(scan("")[0].message, HasSubstr("no code"));
  EXPECT_THAT(scan(" \n\t// nothing\n")[0].message, HasSubstr("no code"));
  EXPECT_THAT(scan(std::string("int a;\n\0b", 9))[0].message, HasSubstr("NUL"));
  EXPECT_THAT(scan("int a;\n// \xff\n")[0].message, HasSubstr("byte 255"));
  EXPECT_EQ(scan("int a;\n// \xff\n")[0].line, 2);
  EXPECT_TRUE(scan("int a;  // gr\xfc\xdf\n").empty()) << "Latin-1 in a comment";
  EXPECT_EQ(scan(std::string("int a;\n\0b", 9))[0].line, 2);
  EXPECT_THAT(scan(std::string(5 << 20, ' '))[0].message, HasSubstr("5.0 MiB"));
  EXPECT_THAT(scan("__device__ int a;\n /* open\n")[0].message, HasSubstr("never closed"));
  EXPECT_THAT(scan("__device__ int a; R\"(\n")[0].message, HasSubstr("raw string"));
}

TEST(SourceScan, HostFunctionsAreRefusedWhereTheyStand) {
  expect_one("__global__ void k() {}\n\nint main() {\n  return 0;\n}\n",
             FindingKind::does_not_compile, 3);
  EXPECT_THAT(scan("int main(int argc, char** argv) { return 0; }")[0].hint, HasSubstr("grader's"));
  for (const std::string& source : std::vector<std::string>{
           "void f() {}",
           "static inline int f(int a) { return a; }",
           "constexpr int f(int a) { return a; }",
           "template <class T> T f(T a) { return a; }",
           "auto f() -> int { return 1; }",
           "__host__ int f() { return 1; }",
           "extern \"C\" void f() {}",
           "extern \"C\" { void f() {} }",
           "namespace a { namespace { void f() {} } }",
           "namespace a::b { void f() {} }",
           "struct S { int a; int f() { return a; } };",
           "struct S { S(int b) : a(b), c{b} {} int a; int c; };",
           "struct S { ~S() {} };",
           "int operator+(dim3, dim3) { return 3; }",
           "struct S { int operator()(int a) const { return a; } };",
           "struct alignas(16) S { S& operator=(const S&) { return *this; } };",
           "struct S { template <int N> int f() { return N; } };",
           "void f() noexcept {}",
           "[[nodiscard]] int f() { return 1; }",
           "dim3 f(dim3 a = {1, 2}) { return a; }",
           "struct R { int a; } r() { return {1}; }",
           "void f() <% %>",
       }) {
    expect_one(source, FindingKind::does_not_compile, 1);
  }
}

TEST(SourceScan, DeviceCodeIsNeverTakenForHostCode) {
  for (const std::string& source : std::vector<std::string>{
           "__device__ int f() { return 1; }",
           "__host__ __device__ constexpr int f() { return 1; }",
           "int __device__ f() { return 1; }",
           "inline __attribute__((device)) int f() { return 1; }",
           "__global__ void __launch_bounds__(256) k() {}",
           "template <class T, int N = (3 > 2)> __global__ void k(T* p) {}",
           "template <template <class> class T> __device__ int f(T<int> t) { return t.x; }",
           "__device__ int f();\nint f() { return 1; }",
           "struct S { __device__ int f(); };\nint S::f() { return 1; }",
           "#define DEVICE static __device__\nDEVICE int f() { return 1; }",
           "#define A B\n#define B __device__\nA int f() { return 1; }",
           "#define KERNEL(T) __global__ void k(T* p)\nKERNEL(int) { *p = 1; }",
           "#define KERNEL(T) __global__ void k##T(T* p) { *p = 1; }\nKERNEL(int)\nKERNEL(float)",
           "#ifdef HOST\nint main() { return 0; }\n#endif\n__device__ int a;",
           "#if A\n__device__ int f() {\n#else\n__device__ int f(int a) {\n#endif\n  return "
           "1;\n}\n",
           "constexpr int kTable[] = {1, 2, 3};\nconst dim3 d{1, 2};\nconstexpr dim3 e(16, 16);",
           "__constant__ float c[2] = {1.0f, 2.0f};",
           "using F = int (*)(int);\ntypedef void (*G)(int);",
           "struct S { int a = 3; S() = default; S(const S&) = delete; };",
           "enum class E : int { a, b };\nunion U { int a; float b; };",
           "struct __align__(8) S { int a; };\nstruct T : S { int b[3]; };",
           "template <> __device__ int f<int>(int a) { return a; }",
           "struct S { __device__ S() : a{1}, b(2) {} int a, b; };",
           "struct S { __device__ operator float() const { return 1; } };",
           "__device__ void f() { auto g = [](int a) { return a; }; g(1); }",
           "__device__ bool f(int a) { return a < 1 && a > -3; }",
           "__device__ std::ostream& operator<<(std::ostream& o, int a) { return o; }",
           "static_assert(sizeof(int) == 4, \"int\");",
           "template <int N> struct S { static constexpr int value = N; };",
           "extern \"C\" __global__ void k() {}",
           "asm(\"\");",
       }) {
    expect_none(source);
  }
}

TEST(SourceScan, LaunchesAreRefused) {
  const auto findings = scan("__global__ void k();\n__device__ void f() {\n  k<<<1, 2>>>();\n}\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_EQ(findings[0].column, 4);
  EXPECT_THAT(findings[0].message, HasSubstr("<<<"));
  expect_none("// k<<<1, 2>>>()\n__constant__ char c[] = \"<<<\";\n");
}

TEST(SourceScan, FindingsComeInSourceOrder) {
  const auto findings = scan("void f() {}\n#include <vector>\nint main() {}\n#include <map>\n");
  ASSERT_EQ(findings.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(findings[static_cast<std::size_t>(i)].line, i + 1);
}

TEST(SourceScan, HostileNestingCostsNoStackAndNoTime) {
  std::string deep;
  std::string macros;
  for (int i = 0; i < 60000; ++i) deep += "struct a{";
  for (int i = 0; i < 20000; ++i) {
    macros += "#define M" + std::to_string(i + 1) + " M" + std::to_string(i) + "\n";
  }
  scan(deep);
  scan(macros + "M20000 int f() {}");
  scan(std::string(1 << 20, '{'));
  scan(std::string(1 << 20, '<'));
  scan(std::string(1 << 20, '\\'));
  scan(std::string(1 << 20, '"'));
}

TEST(SourceScan, AnUnclosedBraceIsFound) {
  EXPECT_EQ(unclosed_brace_line(Source("void f() {\n  if (a) {\n}\n")), 1);
  EXPECT_EQ(unclosed_brace_line(Source("void f() {\n  \"{\"; '{'; // {\n}\n")), 0);
}

}  // namespace
}  // namespace tessera
