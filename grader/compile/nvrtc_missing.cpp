// Stands in for NVRTC if the build found no CUDA Toolkit.
#include "grader/compile/backend.h"
#include "grader/compile/nvrtc_library.h"

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
  return Error{.file = "nvrtc", .message = kReason};
}

std::filesystem::path cuda_include_dir() {
  return {};
}

std::vector<std::filesystem::path> toolkit_folders() {
  return {};
}

Expected<BackendOutput> compile_with_nvrtc(const BackendRequest&) {
  return Error{.file = "nvrtc", .message = kReason};
}

struct NvrtcLibrary::Functions {};

Expected<NvrtcLibrary> NvrtcLibrary::load(const std::filesystem::path&) {
  return Error{.file = "nvrtc", .message = kReason};
}

NvrtcStatus NvrtcLibrary::compile(const NvrtcTask&) const {
  return NvrtcStatus::internal_error;
}

Expected<std::filesystem::path> find_nvrtc() {
  return Error{.file = "nvrtc", .message = kReason};
}

}  // namespace tessera
