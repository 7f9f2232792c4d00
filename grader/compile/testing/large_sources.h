// Large sources, each made of one construct that makes a naive reader search the rest of the file
// from every place. They have a quarter of the largest size that is read: quadratic time takes
// seconds.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace tessera::test {

inline constexpr std::size_t kLargest = std::size_t{1} << 18;

/// `piece` again and again, then `end`; each @ is a rising number.
inline std::string filled(std::string_view piece, std::string_view end = "") {
  std::string text;
  for (int number = 0; text.size() + piece.size() + end.size() + 8 < kLargest; ++number) {
    for (const char c : piece) {
      if (c == '@') {
        text += std::to_string(number);
      } else {
        text += c;
      }
    }
  }
  return text + std::string(end);
}

/// The sources by what they are made of.
inline std::map<std::string, std::string> large_sources() {
  std::map<std::string, std::string> sources;
  const std::string_view pieces[] = {"\n",
                                     ";",
                                     "{",
                                     "}",
                                     "{}",
                                     "(",
                                     "()",
                                     "[",
                                     "[]",
                                     "<",
                                     "<>",
                                     "\"",
                                     "'",
                                     "\\",
                                     "\\\n",
                                     "\\ \n",
                                     "/*",
                                     "//\n",
                                     "/**/",
                                     "R\"(",
                                     "R\"abc(",
                                     "L\"",
                                     "#\n",
                                     "##",
                                     "?",
                                     "=",
                                     "==",
                                     "x ",
                                     "x@ ",
                                     "x@;",
                                     "x@[0];",
                                     "int x@;\n",
                                     "a==b;",
                                     "if(",
                                     "if(a)",
                                     "else ",
                                     "do ",
                                     "1'0 ",
                                     "1'",
                                     "0x",
                                     "const ",
                                     "const a=",
                                     "const a@=1;",
                                     "constexpr int a=(",
                                     "const a=1+",
                                     "__shared__ ",
                                     "__shared__ a[",
                                     "__shared__ int a[1]",
                                     "__shared__ int a@[4][5];",
                                     "__shared__ int a,",
                                     "__global__ f(",
                                     "__global__ f(){",
                                     "__global__ void f(int a){}",
                                     "f(int a,",
                                     "template <",
                                     "template <class T> ",
                                     "operator",
                                     "operator()",
                                     "namespace {",
                                     "namespace a@ {}",
                                     "struct a{",
                                     "void f(){}",
                                     "__device__ void f@(){}",
                                     "int f@();",
                                     "enum {",
                                     "asm(",
                                     "using ",
                                     "extern ",
                                     "<<<",
                                     "f<<<1,2>>>();",
                                     "_Pragma(\"x\")",
                                     "__has_include ",
                                     "#if 1\n",
                                     "#endif\n",
                                     "#else\n",
                                     "#define a a\n",
                                     "#define a@ a\n",
                                     "#define a@(x) b\n",
                                     "#include <tessera/lab.cuh>\n",
                                     "#include <a@>\n",
                                     "#pragma unroll\n",
                                     "return;",
                                     "__syncthreads;",
                                     "*x",
                                     "x->y.",
                                     "u8R\"a\"",
                                     "__launch_bounds__(",
                                     ":",
                                     "::",
                                     "case ",
                                     ">>",
                                     "__attribute__((",
                                     "alignas("};
  for (const std::string_view piece : pieces) sources[std::string(piece)] = filled(piece);
  const std::string chain = filled("#define m@ ma b c d e f g h\n").substr(0, kLargest / 2);
  sources["one long macro, many uses"] = "#define M " + filled("a ").substr(0, kLargest / 2) +
                                         "\n" + filled("M ").substr(0, kLargest / 2 - 100);
  sources["a long macro that many use"] = "#define ma " + filled("a ").substr(0, kLargest / 4) +
                                          "\n" + chain +
                                          filled("m@ ").substr(0, kLargest / 4 - 100);
  // Each macro uses the next one, and only the last returns.
  std::string macros;
  int count = 0;
  while (macros.size() + 32 < kLargest) {
    macros += fmt::format("#define m{} m{}\n", count, count + 1);
    ++count;
  }
  sources["a chain of macros"] = macros + fmt::format("#define m{} return;\n", count);
  sources["brackets of an extent"] = "constexpr int a = " + filled("(", "1;");
  sources["brackets of an array"] = "__shared__ int a[" + filled("(", "1];");
  sources["a long sum"] = filled("const ").substr(0, kLargest / 2) +
                          "a=" + filled("1+", "1;").substr(kLargest / 2 + 100);
  sources["returns below a chain of conditions"] = filled("if(a)").substr(0, kLargest / 2 / 5 * 5) +
                                                   filled("else return;").substr(0, kLargest / 2);
  sources["stray quotes before a comment"] = filled("1'0 ", "/* */");
  return sources;
}

}  // namespace tessera::test
