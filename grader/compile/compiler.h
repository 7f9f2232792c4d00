// Compiles kernel.cu to PTX (for the simulator) or a cubin (for a GPU); device code only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

enum class CompilerKind { automatic, nvrtc, clang };

std::optional<CompilerKind> compiler_from(std::string_view word);  // "auto", "nvrtc", "clang"

/// A compiler on this machine, for `tessera doctor`.
struct CompilerInfo {
  CompilerKind kind;
  bool available = false;
  std::string version;  // "nvrtc 13.0", "clang 14.0.6"
  std::string reason;   // why not available, and what to do
};

std::vector<CompilerInfo> available_compilers();

/// A text that distinguishes the compiler that compile() uses for `kind` from every other: its file
/// and the time that was written. The compiler is not run. Error: this machine has none.
Expected<std::string> compiler_identity(CompilerKind kind);

/// The compiler to use, and where to keep its results.
struct CompilerSetup {
  CompilerKind kind = CompilerKind::automatic;
  std::filesystem::path include_dir = {};  // common/include: holds tessera/*.cuh
  /// Folders with headers of the source's own. If there are any, the source may include every
  /// header that a compiler finds, and nothing is taken from the cache.
  std::vector<std::filesystem::path> header_dirs = {};
  std::filesystem::path program = {};    // tessera-compiler, where compilers run confined
  std::filesystem::path cache_dir = {};  // empty: no cache
};

struct CompileRequest {
  Source source;                        // the submission
  std::string file_name = "kernel.cu";  // the source's name in messages
  std::vector<std::string> defines;     // macros for the source: "BLOCK 16"
  /// The grader's code, appended after the submission. If it has errors, one finding with the
  /// message `epilogue_message` replaces them, such as "launch is missing; expected: __host__
  /// __device__ Launch launch(int m, int n, int k)".
  std::string epilogue;
  Text epilogue_message;
  CompilerSetup compiler;
  int compute_capability = 80;  // 10 * major + minor
  bool cubin = false;           // also make a cubin for exactly that capability (NVRTC only)
  double time_limit_s = 30;     // processor time for one compilation
};

/// The path of the program to start for compilations, installed beside `tessera`.
std::filesystem::path compiler_beside(const std::filesystem::path& tessera);

struct CompileResult {
  bool ok = false;
  std::string ptx;
  std::string cubin;
  std::string compiler;           // "nvrtc 13.0"
  std::vector<Finding> findings;  // errors first in source order; warnings after
  bool cached = false;
};

/// Compiles. For a submission that does not compile, `ok` is false and the findings
/// (does-not-compile, forbidden-include) have line and column in `file_name`. If it compiles, there
/// may be up to five warnings (compiler-warning). The Error is for faults of the machine or the
/// grader: no compiler, none that makes a cubin, no scratch space, no `compiler.program`. Nothing
/// of the submission is executed, and the compiler runs in a process that can read only its own
/// files and the headers (server/); a cached result starts no process. The cache is keyed by
/// source, headers, compiler, version and options and written atomically, and a broken entry is a
/// miss.
Expected<CompileResult> compile(const CompileRequest& request);

/// Which headers a source may include: those of this kit and of the CUDA Toolkit, or all.
enum class AcceptedHeaders { of_kit, any };

/// Findings that need no compiler, in source order: forbidden or computed #include, kernel launches
/// (<<<), host functions, NUL bytes, an empty file, more than 1 MiB. Understands comments, strings,
/// line splices and digraphs.
std::vector<Finding> scan_source(const Source& source, const std::string& file_name,
                                 AcceptedHeaders headers = AcceptedHeaders::of_kit);

}  // namespace tessera
