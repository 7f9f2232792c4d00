#include "grader/gradebook/code_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "common/sha256.h"
#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/judge/expectation.h"
#include "grader/judge/testing/kit_grading.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

TEST(CodeKey, BlanksAndCommentsDoNotCount) {
  const std::string key = code_key("int a = 1;\nint b;\n");
  EXPECT_EQ(code_key("// mine\n\n  int  a=1 ;  /* one */\n\n\n\tint b; // two\n"), key);
  EXPECT_EQ(code_key("int a = 1;\r\nint b;\r\n"), key);
}

TEST(CodeKey, WordsAndTheirLinesCount) {
  const std::string key = code_key("int a = 1;\nint b;\n");
  EXPECT_NE(code_key("int a = 2;\nint b;\n"), key);
  EXPECT_NE(code_key("int a = 1; int b;\n"), key);
  EXPECT_NE(code_key("int a\n= 1;\nint b;\n"), key);
  EXPECT_NE(code_key("a + +b"), code_key("a ++b"));
  EXPECT_NE(code_key("#define F (x)\n"), code_key("#define F(x)\n"));
  EXPECT_NE(code_key("\"a b\""), code_key("\"a  b\""));
}

TEST(CodeKey, ASourceThatAsksForItsLineIsLikeNoOther) {
  EXPECT_NE(code_key("int a = __LINE__;\n"), code_key("\nint a = __LINE__;\n"));
  EXPECT_NE(code_key("#define HERE __LINE__\n"), code_key("\n#define HERE __LINE__\n"));
  EXPECT_NE(code_key("assert(x);\n"), code_key("assert(x); \n"));
  EXPECT_NE(code_key("#line 7\nint a;\n"), code_key("#line 7\nint a; \n"));
  EXPECT_NE(code_key("int a;  // \xff\n"), code_key("int a;\n"));
  EXPECT_NE(code_key("/* never closed\n"), code_key("/* never closed \n"));
}

/// PTX without what names lines and files, or "" if it does not compile.
std::string ptx_of(const std::string& source, CompilerKind compiler) {
  CompileRequest request;
  request.source = Source(source);
  request.compiler = kit_compiler(compiler);
  const auto compiled = compile(request);
  if (!compiled) throw std::runtime_error(compiled.error().str());
  std::string text;
  for (const std::string& line : split_lines(compiled->ptx)) {
    const bool place = line.find(".loc") != line.npos || line.find(".file") != line.npos;
    if (line.find(".section") != line.npos) break;
    if (!place && !line.starts_with("//")) text += line + "\n";
  }
  return text;
}

std::vector<CompilerKind> compilers() {
  std::vector<CompilerKind> kinds;
  for (const CompilerInfo& info : available_compilers()) {
    if (info.available) kinds.push_back(info.kind);
  }
  return kinds;
}

struct LayoutPair {
  const char* what;
  const char* one;
  const char* other;
};

/// Pairs of sources that differ only in blanks, comments and line ends, but are different programs.
constexpr LayoutPair kPairs[] = {
    {"a string of a macro's argument",
     "#define S(x) #x\n__global__ void k(int* p) { *p = sizeof(S(a+b)); }\n",
     "#define S(x) #x\n__global__ void k(int* p) { *p = sizeof(S(a + b)); }\n"},
    {"a string through the digraph",
     "#define S(x) %:x\n__global__ void k(int* p) { *p = sizeof(S(a+b)); }\n",
     "#define S(x) %:x\n__global__ void k(int* p) { *p = sizeof(S(a + b)); }\n"},
    {"a line that is pasted",
     "#define P(a, b) a##b\n__global__ void k(int* p) { *p = P(__LI, NE__); }\n",
     "#define P(a, b) a##b\n\n__global__ void k(int* p) { *p = P(__LI, NE__); }\n"},
    {"a splice that ends a comment late", "__global__ void k(int* p) { *p = 1;\n//\\\n*p = 2;\n}\n",
     "__global__ void k(int* p) { *p = 1;\n//\n*p = 2;\n}\n"},
    {"a splice at the end of a raw string's line",
     "__global__ void k(int* p) { *p = sizeof(R\"(a\\\nb)\"); }\n",
     "__global__ void k(int* p) { *p = sizeof(R\"(ab)\"\n); }\n"},
    {"blanks in a raw string", "__global__ void k(int* p) { *p = sizeof(R\"(a\nb)\"); }\n",
     "__global__ void k(int* p) { *p = sizeof(R\"(a\n\nb)\"); }\n"},
    {"digraphs", "__global__ void k(int* p) { int a<::> = {1, 2}; *p = a[1]; }\n",
     "__global__ void k(int* p) { int a< ::> = {1, 2}; *p = a[1]; }\n"},
    {"a literal with a suffix", "#define _n\n__global__ void k(char* p) { *p = \"ab\"_n[0]; }\n",
     "#define _n\n__global__ void k(char* p) { *p = \"ab\" _n[0]; }\n"},
    {"an operator that is one", "__global__ void k(int* p, int a) { *p = a - -a; }\n",
     "__global__ void k(int* p, int a) { *p = a --a; }\n"},
    {"a pointer to a member",
     "struct S { int a; };\n__global__ void k(int* p, S* s, int S::*m) { *p = s->*m; }\n",
     "struct S { int a; };\n__global__ void k(int* p, S* s, int S::*m) { *p = s-> *m; }\n"},
    {"a macro with arguments",
     "#define F(x) (x)\n__global__ void k(int* p, int x) { *p = F(2); }\n",
     "#define F (x)\n__global__ void k(int* p, int x) { *p = F(2); }\n"},
    {"a name that is spelled with a backslash",
     "__global__ void k(int* p, int \\u00e4) { *p = \\u00e4; }\n",
     "__global__ void k(int* p, int \\u00e4) { *p = \\ u00e4; }\n"},
    {"a lambda that is named by its place",
     "template <class T> __device__ int n(T) { return sizeof(__PRETTY_FUNCTION__); }\n"
     "__global__ void k(int* p) { *p = n([] {}); }\n",
     "template <class T> __device__ int n(T) { return sizeof(__PRETTY_FUNCTION__); }\n"
     "__global__ void k(int* p) { *p =                                n([] {}); }\n"},
    {"a lambda whose place a built-in function prints",
     "__device__ int at;\n"
     "__device__ int print(const char* text) { at = text[0]; return 0; }\n"
     "template <class T> struct W { T t; };\n"
     "template <class T> __device__ void dump(T t) {\n"
     "  W<T> w{t};\n"
     "  __builtin_dump_struct(&w, (int (*)(const char*, ...))&print);\n"
     "}\n"
     "__global__ void k(int* p) { dump([] {}); *p = at; }\n",
     "__device__ int at;\n"
     "__device__ int print(const char* text) { at = text[0]; return 0; }\n"
     "template <class T> struct W { T t; };\n"
     "template <class T> __device__ void dump(T t) {\n"
     "  W<T> w{t};\n"
     "  __builtin_dump_struct(&w, (int (*)(const char*, ...))&print);\n"
     "}\n"
     "__global__ void k(int* p) { dump(      [] {}); *p = at; }\n"},
    {"an assertion's text", "__global__ void k(int* p) { assert(*p>0); }\n",
     "__global__ void k(int* p) { assert(*p > 0); }\n"},
    {"a carriage return that ends a comment", "__global__ void k(int* p) { //\r*p = 1;\n}\n",
     "__global__ void k(int* p) { // *p = 1;\n}\n"},
};

TEST(CodeKey, LayoutThatChangesTheProgramCounts) {
  for (const LayoutPair& pair : kPairs)
    EXPECT_NE(code_key(pair.one), code_key(pair.other)) << pair.what;
}

constexpr const char* kPlainKernel =
    R"(#include <tessera/lab.cuh>
#define TILE 16
#define TWICE(x) ((x) * 2)
template <class T> struct Pair { T a, b; };
/* sums */ __global__ void sum(const float* in, float* out, int n) {
  __shared__ float part[TILE];
  Pair<Pair<int> > pair = {{1, 2}, {3, 4}};
  int i = threadIdx.x, j = -i, k = i - -j, m = i+ +k;
  const char* text = "a // b" "c";
#pragma unroll 4
  for (int s = 0; s<n; s++) k += i<<1 ^ TWICE (s) & ~m; // each
#if TILE > 8
  part[i % TILE] = in[i] + .5f * k-pair.a.b;
#endif
  __syncthreads();
  out[i] = part[i%TILE] + (i ? text[0] : 'x') + m;
}
)";

/// `source` with a few blanks, comments and line ends put in and taken out at random.
std::string laid_out_at_random(std::string source, std::minstd_rand& random) {
  static constexpr const char* kPieces[] = {" ",           "\t",     "/**/", "\n",
                                            " /* x\n */ ", "// y\n", "\\\n"};
  const auto below = [&](std::size_t end) { return random() % end; };
  for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
    const std::size_t at = below(source.size());
    if (below(2) == 0) {
      source.insert(at, kPieces[below(std::size(kPieces))]);
    } else if (const std::size_t blank = source.find_first_of(" \n", at); blank != source.npos) {
      source.erase(blank, 1);
    }
  }
  return source;
}

TEST(CodeKey, EqualKeysCompileToEqualCode) {
  constexpr int kEnough = 6;
  std::vector<std::string> sources = {kPlainKernel};
  for (const LayoutPair& pair : kPairs) sources.emplace_back(pair.one);
  std::minstd_rand random(5);
  int of_plain = 0;
  for (const std::string& source : sources) {
    const std::string key = code_key(Source(source));
    std::vector<std::string> same;
    for (int tries = 0; tries < 2000 && same.size() < kEnough; ++tries) {
      const std::string other = laid_out_at_random(source, random);
      if (other != source && code_key(Source(other)) == key) same.push_back(other);
    }
    if (source == kPlainKernel) of_plain = static_cast<int>(same.size());
    for (const CompilerKind compiler : compilers()) {
      if (same.empty()) break;
      const std::string ptx = ptx_of(source, compiler);
      for (const std::string& other : same) EXPECT_EQ(ptx_of(other, compiler), ptx) << other;
    }
  }
  EXPECT_EQ(of_plain, kEnough);
}

/// What a submission may include makes no strings and pastes no names under an ordinary name: such
/// a macro would see the blanks of its argument.
TEST(CodeKey, MacrosOfTheKitThatSeeBlanksHaveReservedNames) {
  int macros = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "common" / "include")) {
    if (entry.path().extension() != ".cuh" && entry.path().extension() != ".h") continue;
    const Source source(*read_file(entry.path()));
    for (const Directive& directive : source.directives()) {
      const bool sees = std::ranges::any_of(
          directive.tokens, [](const Token& token) { return token.text.starts_with('#'); });
      if (directive.name != "define" || !sees) continue;
      const std::string name = directive.tokens.front().text;
      EXPECT_TRUE(name == "assert" || name.starts_with("__TESSERA_")) << name;
      ++macros;
    }
  }
  EXPECT_GT(macros, 5);
}

TEST(CopiedRecord, LinesInTextAndFieldsAreThoseOfTheOtherSource) {
  Record record;
  record.items.resize(1);
  Finding finding;
  finding.line = 2;
  finding.column = 5;
  finding.message = "line 2 races with line 3 (line 9 of the PTX)";
  finding.hint = "line x";
  finding.example = {{"first", "thread (0, 0, 0) in line 3"}};
  record.items[0].findings = {finding};
  record.lines.resize(1);
  record.lines[0].line = 3;
  const Record copied = copied_record(record, "int a;\nint b;\nint c;\n",
                                      "// mine\nint a;\n\n  int  b;\nint c;\n", "x.cu");
  const Finding& other = copied.items[0].findings[0];
  EXPECT_EQ(other.line, 4);
  EXPECT_EQ(other.column, 8);
  EXPECT_EQ(other.message.str(), "line 4 races with line 5 (line 9 of the PTX)");
  EXPECT_EQ(other.hint.str(), "line x");
  EXPECT_EQ(other.example[0].second, "thread (0, 0, 0) in line 5");
  EXPECT_EQ(copied.lines[0].line, 5);
  EXPECT_EQ(copied.path, "x.cu");
  EXPECT_EQ(copied.sha256, sha256("// mine\nint a;\n\n  int  b;\nint c;\n"));
  EXPECT_EQ(copied.source.size(), 5u);
}

/// The same code in another layout.
std::string laid_out_anew(const std::string& source) {
  std::string text = "// handed in by another student\n/* with a long\n   comment */\n\n";
  for (const std::string& line : split_lines(source)) {
    const bool directive = line.starts_with("#");
    const bool continued = line.ends_with("\\");
    text += directive || continued ? line : "  " + line + "  // " + std::to_string(line.size());
    text += "\n";
    if (line.ends_with(";")) text += "\n    // and on\n";
  }
  return text;
}

std::string graded(const Lab& lab, const fs::path& file) {
  GradeOptions options = kit_options(11);
  options.kit.labs = kRoot / "labs";
  Record record = grade(lab, file, options);
  record.seconds = 0;
  return json_report({record});
}

/// A wrong kernel of the kit for each expectation that they have, as it is and laid out anew: the
/// copied record of the first must be the record that grading the second gives.
TEST(CopiedRecord, IsWhatGradingTheOtherSourceGives) {
  const TemporaryDirectory folder;
  const fs::path other_file = folder.path() / "kernel.cu";
  std::set<std::vector<std::string>> expected;
  for (const fs::path& labs : find_labs(kRoot / "labs")) {
    const std::string id = labs.filename().string();
    const Lab lab = small_kit_lab(id);
    ASSERT_GT(lab.cases.size(), 2u);
    std::vector<fs::path> kernels;
    for (const auto& entry : fs::directory_iterator(kRoot / "solutions" / id / "wrong"))
      kernels.push_back(entry.path());
    std::ranges::sort(kernels);
    for (const fs::path& kernel : kernels) {
      const std::string source = *read_file(kernel);
      const auto expectation = read_expectation(source, kernel.string());
      ASSERT_TRUE(expectation) << expectation.error().str();
      const std::string other = laid_out_anew(source);
      const bool endless = expectation->words.front() == "step-limit";  // takes seconds
      if (endless || code_key(Source(source)) != code_key(Source(other))) continue;
      if (!expected.insert(expectation->words).second) continue;
      ASSERT_FALSE(write_file(other_file, other));
      const auto record = read_record(graded(lab, kernel));
      ASSERT_TRUE(record) << record.error().str();
      EXPECT_EQ(
          json_report({copied_record(*record, Source(source), Source(other), other_file.string())}),
          graded(lab, other_file))
          << kernel;
    }
  }
  EXPECT_GT(expected.size(), 30u);
}

}  // namespace
}  // namespace tessera
