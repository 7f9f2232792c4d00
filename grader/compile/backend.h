// What a compiler must offer to compile(): one instance each for NVRTC and Clang.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/compile/compiler.h"

namespace tessera {

/// The line marker that precedes the grader's own code, and how diagnostics call it.
inline constexpr std::string_view kEpilogueName = "tessera-launch";

struct BackendRequest {
  std::string program;    // submission and epilogue, each behind its #line
  std::string file_name;  // what #line calls the submission
  CompilerSetup compiler;
  int compute_capability = 80;
  bool cubin = false;  // beside PTX
  double time_limit_s = 30;
};

struct BackendOutput {
  enum class End {
    compiled,
    refused,        // the log says why
    out_of_time,    // processor time
    out_of_memory,  // of the limit on memory
    out_of_output,  // PTX or messages beyond the limit
    crashed,
  };
  End end = End::refused;
  std::string ptx;  // also where ptxas refused it
  std::string cubin;
  std::string log;       // the compiler's messages
  std::string compiler;  // "clang 14.0.6"
};

/// What is there, for `tessera doctor`.
CompilerInfo nvrtc_info();
/// What tells one compiler from another in a cache key, without running it.
Expected<std::string> nvrtc_identity();
Expected<BackendOutput> compile_with_nvrtc(const BackendRequest& request);
/// Where the CUDA Toolkit's device headers are; empty where there is none.
std::filesystem::path cuda_include_dir();
/// Folders outside of /usr in which this build looks for the CUDA Toolkit.
std::vector<std::filesystem::path> toolkit_folders();

CompilerInfo clang_info();
/// The absolute path of the clang++ to run: TESSERA_CLANG, else the first in PATH.
Expected<std::string> find_clang();
Expected<std::string> clang_identity();
/// Where the headers are that Clang gets in the place of the CUDA Toolkit's.
std::filesystem::path clang_toolkit_dir(const std::filesystem::path& include_dir);
Expected<BackendOutput> compile_with_clang(const BackendRequest& request);

}  // namespace tessera
