// What stands for NVRTC where the build found no CUDA Toolkit.
#include "grader/compile/backend.h"

namespace tessera {
namespace {

constexpr const char* kReason =
    "not built: no CUDA Toolkit was found at build time; install it and build again, or use "
    "--compiler clang";

}  // namespace

CompilerInfo nvrtc_info() {
  return {.kind = CompilerKind::nvrtc, .available = false, .version = {}, .reason = kReason};
}

Expected<std::string> nvrtc_identity() {
  return Error{"nvrtc", 0, 0, kReason};
}

std::filesystem::path cuda_include_dir() {
  return {};
}

Expected<BackendOutput> compile_with_nvrtc(const BackendRequest&) {
  return Error{"nvrtc", 0, 0, kReason};
}

}  // namespace tessera
