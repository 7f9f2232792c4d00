// NVRTC, loaded at run time, so that the program starts on a machine without it. Each compilation
// runs in a forked child: see process/child_process.h.
#include <dlfcn.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "grader/compile/backend.h"
#include "grader/process/child_process.h"

namespace tessera {
namespace {

constexpr const char* kRemedy = "install the CUDA Toolkit's NVRTC library, or use --compiler clang";

/// Exit statuses of the child beside 0 for compiled.
constexpr int kRefused = 1;
constexpr int kOutOfMemory = 2;
constexpr int kInternalError = 3;
constexpr int kBadOption = 4;

struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create_program = nullptr;
  decltype(&nvrtcCompileProgram) compile_program = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&nvrtcGetPTX) ptx = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  std::string name;  // "nvrtc 13.0"
};

template <class Function>
bool bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// The library stays loaded, so that only the first call takes time.
Expected<Nvrtc> load_nvrtc() {
  void* library = nullptr;
  for (const char* name : {TESSERA_NVRTC_LIBRARY, TESSERA_NVRTC_SONAME, "libnvrtc.so"}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    return Error{"", 0, 0, fmt::format("{} cannot be loaded; {}", TESSERA_NVRTC_SONAME, kRemedy)};
  }
  Nvrtc nvrtc;
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
    return Error{"", 0, 0,
                 fmt::format("{} is not a usable NVRTC; {}", TESSERA_NVRTC_SONAME, kRemedy)};
  }
  nvrtc.name = fmt::format("nvrtc {}.{}", major, minor);
  return nvrtc;
}

std::vector<std::string> options(const BackendRequest& request, bool cubin) {
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}_{}", cubin ? "sm" : "compute", request.compute_capability),
      "-lineinfo", "--std=c++17",
      // "declared but never referenced": true of every skeleton.
      "--diag-suppress=177", "--include-path=" + request.include_dir.string()};
  if (const auto toolkit = cuda_include_dir(); !toolkit.empty()) {
    options.push_back("--include-path=" + toolkit.string());
    options.push_back("--include-path=" + (toolkit / "cccl").string());
  }
  return options;
}

/// Compiles in the child: PTX or cubin to standard output, messages to standard error.
int compile_here(const Nvrtc& nvrtc, const BackendRequest& request, bool cubin) {
  nvrtcProgram program = nullptr;
  if (nvrtc.create_program(&program, request.program.c_str(), request.file_name.c_str(), 0, nullptr,
                           nullptr) != NVRTC_SUCCESS) {
    return kInternalError;
  }
  const std::vector<std::string> texts = options(request, cubin);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const nvrtcResult result =
      nvrtc.compile_program(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) == NVRTC_SUCCESS && size > 1) {
    std::string log(size, '\0');
    if (nvrtc.log(program, log.data()) == NVRTC_SUCCESS)
      std::fwrite(log.data(), 1, size - 1, stderr);
    std::fflush(stderr);
  }
  if (result == NVRTC_ERROR_OUT_OF_MEMORY) return kOutOfMemory;
  if (result == NVRTC_ERROR_COMPILATION) return kRefused;
  if (result == NVRTC_ERROR_INVALID_OPTION) return kBadOption;
  if (result != NVRTC_SUCCESS) return kInternalError;
  const auto get_size = cubin ? nvrtc.cubin_size : nvrtc.ptx_size;
  const auto get = cubin ? nvrtc.cubin : nvrtc.ptx;
  if (get_size(program, &size) != NVRTC_SUCCESS) return kInternalError;
  std::string text(size, '\0');
  if (get(program, text.data()) != NVRTC_SUCCESS) return kInternalError;
  if (!cubin) text.resize(text.find('\0'));
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : kInternalError;
}

BackendOutput::End ending(const ChildResult& run) {
  using End = BackendOutput::End;
  if (run.end == ChildResult::End::out_of_time) return End::out_of_time;
  if (run.end == ChildResult::End::out_of_output) return End::out_of_output;
  if (run.end == ChildResult::End::killed) return End::crashed;
  if (run.status == 0) return End::compiled;
  if (run.log.find("out of memory") != std::string::npos) return End::out_of_memory;
  if (run.status == kRefused) return End::refused;
  return run.status == kInternalError ? End::crashed : End::out_of_memory;
}

Expected<BackendOutput> compile_once(const Nvrtc& nvrtc, const BackendRequest& request,
                                     bool cubin) {
  auto run = run_forked([&] { return compile_here(nvrtc, request, cubin); },
                        {.cpu_seconds = request.time_limit_s});
  if (!run) return run.error();
  if (run->end == ChildResult::End::exited && run->status == kBadOption) {
    return Error{"", 0, 0,
                 fmt::format("{} does not take compute capability {}; use {}", nvrtc.name,
                             request.compute_capability,
                             cubin ? "a newer CUDA Toolkit, or --backend simulator"
                                   : "another device profile, or --compiler clang")};
  }
  BackendOutput output;
  output.end = ending(*run);
  output.log = std::move(run->log);
  output.compiler = nvrtc.name;
  (cubin ? output.cubin : output.ptx) = std::move(run->output);
  return output;
}

}  // namespace

CompilerInfo nvrtc_info() {
  CompilerInfo info{.kind = CompilerKind::nvrtc, .version = {}, .reason = {}};
  const auto nvrtc = load_nvrtc();
  info.available = static_cast<bool>(nvrtc);
  if (nvrtc) {
    info.version = nvrtc->name;
  } else {
    info.reason = nvrtc.error().str();
  }
  return info;
}

Expected<std::string> nvrtc_identity() {
  const auto nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  return nvrtc->name + " " + cuda_include_dir().string();
}

std::filesystem::path cuda_include_dir() {
  std::vector<std::filesystem::path> candidates;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable); home != nullptr && *home == '/') {
      candidates.push_back(std::filesystem::path(home) / "include");
    }
  }
  candidates.emplace_back(TESSERA_CUDA_INCLUDE_DIR);
  for (const auto& candidate : candidates) {
    std::error_code error;
    if (std::filesystem::exists(candidate / "cuda_fp16.h", error)) return candidate;
  }
  return {};
}

Expected<BackendOutput> compile_with_nvrtc(const BackendRequest& request) {
  const auto nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  auto output = compile_once(*nvrtc, request, !request.ptx);
  const bool both = request.ptx && request.cubin;
  if (!output || output->end != BackendOutput::End::compiled || !both) return output;
  auto binary = compile_once(*nvrtc, request, true);
  if (!binary) return binary.error();
  output->end = binary->end;
  output->cubin = std::move(binary->cubin);
  if (output->end != BackendOutput::End::compiled) output->log = std::move(binary->log);
  return output;
}

}  // namespace tessera
