#include "grader/compile/nvrtc_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <nvrtc.h>

#include <cstdio>
#include <optional>

namespace tessera {
namespace {

constexpr const char* kNvrtcRemedy =
    "install the CUDA Toolkit's NVRTC library, or use --compiler clang";

template <class Function>
bool bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

void* open_library(const char* name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/// Writes all of `text`. Returns whether that worked.
bool write(const std::string& text, std::FILE* to) {
  return std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
}

/// The result of a pair of NVRTC's functions, of which one returns the size and one the contents.
template <typename GetSize, typename Get>
std::optional<std::string> made(nvrtcProgram program, GetSize get_size, Get get) {
  std::size_t size = 0;
  if (get_size(program, &size) != NVRTC_SUCCESS) return std::nullopt;
  std::string bytes(size, '\0');
  if (get(program, bytes.data()) != NVRTC_SUCCESS) return std::nullopt;
  return bytes;
}

}  // namespace

struct NvrtcLibrary::Functions {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create_program = nullptr;
  decltype(&nvrtcCompileProgram) compile_program = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&nvrtcGetPTX) ptx = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
};

Expected<NvrtcLibrary> NvrtcLibrary::load(const std::filesystem::path& file) {
  void* library = open_library(file.c_str());
  if (library == nullptr) {
    return Error{.message = fmt::format("{} cannot be loaded; {}", file.string(), kNvrtcRemedy)};
  }
  Functions nvrtc;
  const bool complete = bind(library, "nvrtcVersion", nvrtc.version) &&
                        bind(library, "nvrtcCreateProgram", nvrtc.create_program) &&
                        bind(library, "nvrtcCompileProgram", nvrtc.compile_program) &&
                        bind(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
                        bind(library, "nvrtcGetProgramLog", nvrtc.log) &&
                        bind(library, "nvrtcGetPTXSize", nvrtc.ptx_size) &&
                        bind(library, "nvrtcGetPTX", nvrtc.ptx) &&
                        bind(library, "nvrtcGetCUBINSize", nvrtc.cubin_size) &&
                        bind(library, "nvrtcGetCUBIN", nvrtc.cubin);
  int major = 0;
  int minor = 0;
  if (!complete || nvrtc.version(&major, &minor) != NVRTC_SUCCESS) {
    return Error{.message =
                     fmt::format("{} is not a usable NVRTC; {}", file.string(), kNvrtcRemedy)};
  }
  NvrtcLibrary loaded;
  loaded.functions_ = std::make_shared<const Functions>(nvrtc);
  loaded.name_ = fmt::format("nvrtc {}.{}", major, minor);
  return loaded;
}

NvrtcStatus NvrtcLibrary::compile(const NvrtcTask& task) const {
  const Functions& nvrtc = *functions_;
  nvrtcProgram program = nullptr;
  if (nvrtc.create_program(&program, task.program.c_str(), task.file_name.c_str(), 0, nullptr,
                           nullptr) != NVRTC_SUCCESS) {
    return NvrtcStatus::internal_error;
  }
  std::vector<const char*> options;
  for (const std::string& option : task.options) options.push_back(option.c_str());
  const nvrtcResult result =
      nvrtc.compile_program(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) == NVRTC_SUCCESS && size > 1) {
    std::string log(size, '\0');
    const bool has_log = nvrtc.log(program, log.data()) == NVRTC_SUCCESS;
    log.pop_back();  // the final zero
    if (has_log) write(log, stderr);
  }
  if (result == NVRTC_ERROR_OUT_OF_MEMORY) return NvrtcStatus::out_of_memory;
  if (result == NVRTC_ERROR_COMPILATION) return NvrtcStatus::refused;
  if (result == NVRTC_ERROR_INVALID_OPTION) return NvrtcStatus::bad_option;
  if (result != NVRTC_SUCCESS) return NvrtcStatus::internal_error;
  const auto text = made(program, nvrtc.ptx_size, nvrtc.ptx);
  if (!text || !write(text->substr(0, text->find('\0')), stdout))
    return NvrtcStatus::internal_error;
  if (!task.cubin) return NvrtcStatus::compiled;
  const auto code = made(program, nvrtc.cubin_size, nvrtc.cubin);
  return code && write('\0' + *code, stdout) ? NvrtcStatus::compiled : NvrtcStatus::internal_error;
}

Expected<std::filesystem::path> find_nvrtc() {
  std::error_code ignored;
  if (std::filesystem::path built_with = TESSERA_NVRTC_LIBRARY;
      std::filesystem::exists(built_with, ignored)) {
    return built_with;
  }
  // Only the loader knows where else it may be.
  for (const char* name : {TESSERA_NVRTC_SONAME, "libnvrtc.so"}) {
    link_map* loaded = nullptr;
    void* library = open_library(name);
    if (library != nullptr && dlinfo(library, RTLD_DI_LINKMAP, &loaded) == 0)
      return std::filesystem::path(loaded->l_name);
  }
  return Error{.message =
                   fmt::format("{} cannot be loaded; {}", TESSERA_NVRTC_SONAME, kNvrtcRemedy)};
}

}  // namespace tessera
