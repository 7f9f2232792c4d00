// kernel.cu -> PTX (for the simulator) or cubin (for a GPU), for the device alone.
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

/// What this machine offers, for `tessera doctor`.
struct CompilerInfo {
  CompilerKind kind;
  bool available = false;
  std::string version;  // "nvrtc 13.0", "clang 14.0.6"
  std::string reason;   // why not available, and what to do
};

std::vector<CompilerInfo> available_compilers();

/// What tells the compiler that compile() takes for `kind` from every other one, its file and when
/// that was written; it is not run. Errors: none on this machine.
Expected<std::string> compiler_identity(CompilerKind kind);

/// With what to compile, and where the results are kept.
struct CompilerSetup {
  CompilerKind kind = CompilerKind::automatic;
  std::filesystem::path include_dir = {};  // common/include: holds tessera/*.cuh
  std::filesystem::path program = {};      // tessera-compiler, where compilers run confined
  std::filesystem::path cache_dir = {};    // empty: no cache
};

struct CompileRequest {
  Source source;                        // the submission
  std::string file_name = "kernel.cu";  // how messages call it
  std::vector<std::string> defines;     // macros of the source: "BLOCK 16"
  std::string epilogue;  // the grader's code, appended after the submission; its errors are told as
                         // `epilogue_hint`
  Text epilogue_hint;    // "launch is missing; expected: __host__ __device__ Launch launch(int m,
                         // int n, int k)"
  CompilerSetup compiler;
  int compute_capability = 80;  // 10 * major + minor
  bool cubin = false;           // beside PTX a cubin for exactly that capability (NVRTC only)
  double time_limit_s = 30;     // processor time for one compilation
};

/// The program to start for compilations, as it is installed beside `tessera`.
std::filesystem::path compiler_beside(const std::filesystem::path& tessera);

struct CompileResult {
  bool ok = false;
  std::string ptx;
  std::string cubin;
  std::string compiler;           // "nvrtc 13.0"
  std::vector<Finding> findings;  // errors first in source order; warnings after
  bool cached = false;
};

/// Compiles. A submission that does not compile is `ok == false` with findings (does-not-compile,
/// forbidden-include) that carry line and column in `file_name`. One that compiles may have up to
/// five warnings (compiler-warning). The Error is for our own faults:
/// no compiler on this machine, none that makes a cubin, no scratch space, no
/// `compiler.program`. Nothing of the submission is executed, and the compiler runs in a process
/// that can only read its own files and the headers (server/); a cached result starts none. The
/// cache is keyed by source, headers, compiler, version and options, written atomically, and a
/// broken entry is a miss.
Expected<CompileResult> compile(const CompileRequest& request);

/// What can be said of a source without a compiler: forbidden or computed #include, kernel launches
/// (<<<), host functions, NUL bytes, an empty file, more than 1 MiB. Findings in source order.
/// Comments and strings are understood, line splices and digraphs too.
std::vector<Finding> scan_source(const Source& source, const std::string& file_name);

}  // namespace tessera
