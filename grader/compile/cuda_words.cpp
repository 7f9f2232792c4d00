#include "grader/compile/cuda_words.h"

#include <set>
#include <string_view>

namespace tessera {

bool is_cuda_word(const std::string& word) {
  static const std::set<std::string_view> kWords = {
      "auto",      "bool",      "break",    "case",   "char",      "const",     "constexpr",
      "continue",  "default",   "do",       "double", "else",      "extern",    "false",
      "float",     "for",       "half",     "if",     "inline",    "int",       "int32_t",
      "long",      "return",    "short",    "signed", "size_t",    "sizeof",    "static",
      "struct",    "switch",    "template", "true",   "typename",  "uint32_t",  "unsigned",
      "using",     "void",      "volatile", "while",  "threadIdx", "blockIdx",  "blockDim",
      "gridDim",   "warpSize",  "dim3",     "Matrix", "Launch",    "ceil_div",  "min",
      "max",       "float2",    "float4",   "int2",   "int4",      "atomicAdd", "atomicMax",
      "atomicMin", "atomicCAS", "x",        "y",      "z",         "w",         "data",
      "height",    "width",     "pitch",    "view"};
  return word.starts_with("__") || kWords.contains(word);
}

}  // namespace tessera
