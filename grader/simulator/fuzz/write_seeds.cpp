// Compiles the suite's kernels and the reference solutions and writes their PTX: `fuzz_seeds
// FOLDER`.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "grader/compile/testing/kit_compiler.h"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns false if the source does not compile: some kernels of the suite need what one compiler
/// lacks.
bool write_ptx(const fs::path& source, tessera::CompilerKind compiler, const fs::path& to) {
  tessera::CompileRequest request;
  request.compiler = tessera::kit_compiler(compiler);
  request.source = tessera::Source(contents(source));
  const auto result = tessera::compile(request);
  if (!result || !result->ok) return false;
  std::ofstream(to, std::ios::binary) << result->ptx;
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const fs::path to = arguments[1];
  fs::create_directories(to);
  std::size_t written = 0;
  for (const char* folder : {"grader/simulator/suite", "grader/compile/corpus", "solutions"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(TESSERA_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cu") continue;
      std::string name = entry.path().lexically_relative(TESSERA_SOURCE_DIR).string();
      for (char& c : name) c = c == '/' ? '-' : c;
      for (const char* compiler : {"nvrtc", "clang"}) {
        written += write_ptx(entry.path(), *tessera::compiler_from(compiler),
                             to / (name + "." + compiler + ".ptx"));
      }
    }
  }
  std::printf("%zu files\n", written);
  return written == 0 ? 1 : 0;
}
