// The functions that NVRTC and Clang each offer to compile().
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/compile/compiler.h"

namespace tessera {

/// The file name of the grader's own code in line markers and diagnostics.
inline constexpr std::string_view kEpilogueName = "tessera-launch";

struct BackendRequest {
  std::string program;    // submission and epilogue, each after its #line
  std::string file_name;  // the submission's name in #line
  CompilerSetup compiler;
  int compute_capability = 80;
  bool cubin = false;  // in addition to PTX
  double time_limit_s = 30;
};

struct BackendOutput {
  enum class End {
    compiled,
    refused,        // the log says why
    out_of_time,    // of processor time
    out_of_memory,  // the limit on memory was reached
    out_of_output,  // PTX or messages exceed the limit
    crashed,
  };
  End end = End::refused;
  std::string ptx;  // also if ptxas refused it
  std::string cubin;
  std::string log;       // the compiler's messages
  std::string compiler;  // "clang 14.0.6"
};

/// The version and availability of NVRTC, for `tessera doctor`.
CompilerInfo nvrtc_info();
/// A text that identifies the compiler in a cache key, found without running it.
Expected<std::string> nvrtc_identity();
Expected<BackendOutput> compile_with_nvrtc(const BackendRequest& request);
/// The folder of the CUDA Toolkit's device headers; empty if there is none.
std::filesystem::path cuda_include_dir();
/// Folders outside /usr in which this build looks for the CUDA Toolkit.
std::vector<std::filesystem::path> toolkit_folders();

/// CompilerSetup::header_dirs, and the folder of empty headers that take the place of the host's;
/// nothing without header_dirs.
std::vector<std::filesystem::path> own_header_dirs(const CompilerSetup& setup);

CompilerInfo clang_info();
/// The absolute path of the clang++ to run: TESSERA_CLANG, otherwise the first in PATH.
Expected<std::string> find_clang();
Expected<std::string> clang_identity();
/// The folder of the headers that Clang gets in place of the CUDA Toolkit's.
std::filesystem::path clang_toolkit_dir(const std::filesystem::path& include_dir);
Expected<BackendOutput> compile_with_clang(const BackendRequest& request);

}  // namespace tessera
