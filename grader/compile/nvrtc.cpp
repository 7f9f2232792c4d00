// NVRTC, run in the compiling process (server/).
#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <vector>

#include "grader/compile/backend.h"
#include "grader/compile/compiler_process.h"
#include "grader/compile/diagnostics.h"
#include "grader/compile/nvrtc_library.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

enum class Unannotated { host, device };

/// "90a": with the instructions that only this architecture has, such as wgmma; "80" before Hopper.
std::string architecture(int compute_capability) {
  constexpr int kHopper = 90;
  return std::to_string(compute_capability) + (compute_capability >= kHopper ? "a" : "");
}

std::vector<std::string> options(const BackendRequest& request, bool cubin,
                                 Unannotated unannotated) {
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}_{}", cubin ? "sm" : "compute",
                  architecture(request.compute_capability)),
      "-lineinfo", "--std=c++17",
      // "declared but never referenced": true of every skeleton.
      "--diag-suppress=177", "--include-path=" + request.compiler.include_dir.string()};
  for (const fs::path& folder : own_header_dirs(request.compiler))
    options.push_back("--include-path=" + folder.string());
  if (const auto toolkit = cuda_include_dir(); !toolkit.empty()) {
    options.push_back("--include-path=" + toolkit.string());
    options.push_back("--include-path=" + (toolkit / "cccl").string());
  }
  if (unannotated == Unannotated::device) options.push_back("--device-as-default-execution-space");
  return options;
}

BackendOutput::End nvrtc_ending(const ChildResult& run) {
  using End = BackendOutput::End;
  if (run.end == ChildResult::End::out_of_time) return End::out_of_time;
  if (run.end == ChildResult::End::out_of_output) return End::out_of_output;
  if (run.end == ChildResult::End::killed) return End::crashed;
  const auto status = static_cast<NvrtcStatus>(run.status);
  if (status == NvrtcStatus::compiled) return End::compiled;
  // The log quotes lines of the source, whatever they say.
  const bool names_an_error = run.log.find("): error: ") != std::string::npos;
  if (status == NvrtcStatus::refused && names_an_error) return End::refused;
  if (run.log.find("out of memory") != std::string::npos) return End::out_of_memory;
  if (status == NvrtcStatus::refused) return End::refused;
  return status == NvrtcStatus::internal_error ? End::crashed : End::out_of_memory;
}

/// Files that NVRTC reads in addition to the system's: headers, and the library of built-in
/// functions beside its own.
std::vector<std::string> read_by_nvrtc(const fs::path& library, const BackendRequest& request) {
  std::vector<std::string> paths = {request.compiler.include_dir.string(),
                                    cuda_include_dir().string()};
  for (const fs::path& folder : request.compiler.header_dirs) paths.push_back(folder.string());
  std::error_code ignored;
  const fs::path folder = fs::canonical(library, ignored).parent_path();
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libnvrtc")) paths.push_back(entry.path().string());
  }
  return paths;
}

Expected<BackendOutput> compile_once(const fs::path& library, const BackendRequest& request,
                                     bool cubin, Unannotated unannotated = Unannotated::host) {
  const CompilerTask task{.tool = cubin ? CompilerTool::nvrtc_cubin : CompilerTool::nvrtc_ptx,
                          .program = request.program,
                          .file_name = request.file_name,
                          .arguments = options(request, cubin, unannotated)};
  auto run = run_compiler(request.compiler.program,
                          {.library = library.string(),
                           .readable = read_by_nvrtc(library, request),
                           .cpu_seconds = request.time_limit_s},
                          task);
  if (!run) return run.error();
  ChildResult& child = run->child;
  if (child.end == ChildResult::End::exited &&
      child.status == static_cast<int>(NvrtcStatus::bad_option)) {
    return Error{.message = fmt::format("{} does not take compute capability {}; use {}",
                                        run->library, request.compute_capability,
                                        cubin ? "a newer CUDA Toolkit, or --backend simulator"
                                              : "another device profile, or --compiler clang")};
  }
  BackendOutput output;
  output.end = nvrtc_ending(child);
  output.log = std::move(child.log);
  output.compiler = run->library;
  const std::size_t end = child.output.find('\0');
  output.ptx = child.output.substr(0, end);
  if (end != std::string::npos) output.cubin = child.output.substr(end + 1);
  return output;
}

/// Compiles. If NVRTC refuses only lambdas with `auto` parameters, compiles again and takes code
/// without annotations for device code. Any other code without an annotation is a mistake, and is
/// reported.
Expected<BackendOutput> compile_with_lambdas(const fs::path& library, const BackendRequest& request,
                                             bool cubin) {
  auto output = compile_once(library, request, cubin);
  if (!output || output->end != BackendOutput::End::refused) return output;
  if (!refuses_only_generic_lambdas(output->log)) return output;
  return compile_once(library, request, cubin, Unannotated::device);
}

}  // namespace

CompilerInfo nvrtc_info() {
  CompilerInfo info{.kind = CompilerKind::nvrtc, .version = {}, .reason = {}};
  const auto file = find_nvrtc();
  const auto nvrtc = file ? NvrtcLibrary::load(*file) : file.error();
  info.available = static_cast<bool>(nvrtc);
  if (nvrtc) {
    info.version = nvrtc->name();
  } else {
    info.reason = nvrtc.error().str();
  }
  return info;
}

Expected<std::string> nvrtc_identity() {
  const auto file = find_nvrtc();
  if (!file) return file.error();
  std::error_code error;
  const auto library = fs::canonical(*file, error);
  const auto size = fs::file_size(library, error);
  const auto time = fs::last_write_time(library, error).time_since_epoch().count();
  return fmt::format("{} {} {} {}", library.string(), size, time, cuda_include_dir().string());
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

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const fs::path part : {TESSERA_NVRTC_LIBRARY, TESSERA_CUDA_INCLUDE_DIR}) {
    const fs::path folder = part.parent_path();
    std::error_code ignored;
    if (!part.string().starts_with("/usr/") && fs::is_directory(folder, ignored))
      folders.push_back(folder);
  }
  return folders;
}

Expected<BackendOutput> compile_with_nvrtc(const BackendRequest& request) {
  const auto library = find_nvrtc();
  if (!library) return library.error();
  auto output = compile_with_lambdas(*library, request, request.cubin);
  if (!request.cubin || !output || output->end != BackendOutput::End::refused) return output;
  // ptxas names lines of the PTX, which NVRTC does not return if the assembler refuses it.
  auto text = compile_with_lambdas(*library, request, false);
  if (text) output->ptx = std::move(text->ptx);
  return output;
}

}  // namespace tessera
