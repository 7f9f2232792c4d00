// Clang's CUDA mode, for the device only and without the CUDA Toolkit: Clang reads the program from
// standard input and writes PTX to standard output, and tessera/clang/builtins.cuh stands in for
// what NVRTC has built in.
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "common/text.h"
#include "grader/compile/backend.h"
#include "grader/compile/compiler_process.h"
#include "grader/compile/kept_shared.h"
#include "grader/compile/vector_copies.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

constexpr int kOldestClang = 14;
constexpr int kNewestClang = 21;
constexpr const char* kClangRemedy =
    "install Clang 14 or newer (Debian, Ubuntu: apt install clang)";

/// "14.0.6" from "Debian clang version 14.0.6 ...", or "".
std::string version_in(const std::string& banner) {
  const std::string marker = "clang version ";
  const auto start = banner.find(marker);
  if (start == std::string::npos) return "";
  const auto digits = start + marker.size();
  return banner.substr(digits, banner.find_first_not_of("0123456789.", digits) - digits);
}

/// The error for a compiler whose banner shows that it cannot be used; nothing if it can.
std::optional<Error> check_version(const std::string& path, const std::string& version) {
  if (version.empty())
    return Error{.file = path, .message = fmt::format("is not Clang; {}", kClangRemedy)};
  if (std::atoi(version.c_str()) >= kOldestClang) return std::nullopt;
  return Error{.file = path, .message = fmt::format("is Clang {}; {}", version, kClangRemedy)};
}

/// The newest architecture that is not above `compute_capability` and that Clang 14 knows; its PTX
/// runs on all later architectures.
int architecture(int compute_capability) {
  for (const int known : {80, 75, 72, 70, 62, 61, 60}) {
    if (compute_capability >= known) return known;
  }
  return 60;
}

/// Adds the options that every step of a compilation gets.
void append_code_options(std::vector<std::string>& all) {
  const auto add = [&all](std::initializer_list<std::string> options) {
    all.insert(all.end(), options);
  };
  // As nvcc does: a product and a sum may be fused into one operation.
  add({"-S", "-O3", "-ffp-contract=fast", "-fno-exceptions"});
  // As nvcc does: an array may be accessed both as floats and as ints.
  add({"-fno-strict-aliasing"});
  // An endless loop without an effect is kept, so that the step limit names it. Since Clang 12.
  add({"-fno-finite-loops"});
  // Instructions that two branches have in common stay in both: a merged instruction has no line,
  // and two barriers would become one.
  add({"-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-simplifycfg-hoist-common=false"});
  // A reference claims that an element exists: `&M(row, column)` before the guard would let Clang
  // load the element before the guard too.
  add({"-mllvm", "-use-dereferenceable-at-point-semantics=1"});
  // As nvcc does: helper functions disappear in the kernel, and loops with a known number of steps
  // are unrolled if an array would be in local memory otherwise.
  add({"-mllvm", "-inline-threshold=100000", "-mllvm", "-unroll-threshold=20000"});
  add({"-gline-tables-only", "-fdebug-compilation-dir=/"});
  add({"-fno-crash-diagnostics", "-fno-caret-diagnostics", "-fno-color-diagnostics",
       "-fno-diagnostics-fixit-info", "-fmessage-length=0", "-ferror-limit=20"});
}

std::vector<std::string> arguments(const std::string& clang, const BackendRequest& request) {
  const std::string architecture_option =
      fmt::format("--cuda-gpu-arch=sm_{}", architecture(request.compute_capability));
  const std::string architecture_macro =
      fmt::format("-D__TESSERA_CUDA_ARCH__={}", 10 * request.compute_capability);
  const std::string builtins =
      (request.compiler.include_dir / "tessera/clang/builtins.cuh").string();
  std::vector<std::string> all = {clang};
  const auto add = [&all](std::initializer_list<std::string> options) {
    all.insert(all.end(), options);
  };
  // The first line of -v is the version, so that no second process has to ask for it.
  add({"-v", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc"});
  add({architecture_option, architecture_macro, "-Wno-unknown-cuda-version"});
  add({"-std=c++17", "-fno-rtti"});
  append_code_options(all);
  // Every skeleton has unused declarations, and `= {0}` is right.
  add({"-Wall", "-Wno-unused-variable", "-Wno-unused-const-variable", "-Wno-unused-function",
       "-Wno-missing-braces"});
  // Warnings about extensions that NVRTC does not accept.
  add({"-Wc++20-designator", "-Wgnu-statement-expression", "-Wgnu-conditional-omitted-operand",
       "-Wgnu-case-range"});
  // As nvcc does: {grid, block, elements * sizeof(float)} is a Launch.
  add({"-Wno-c++11-narrowing"});
  add({"-I", request.compiler.include_dir.string()});
  for (const auto& folder : own_header_dirs(request.compiler)) add({"-I", folder.string()});
  add({"-I", clang_toolkit_dir(request.compiler.include_dir).string()});
  add({"-include", builtins, "-o", "-", "-"});
  return all;
}

/// The arguments that compile LLVM's text to PTX.
std::vector<std::string> second_step(const std::string& clang, const BackendRequest& request) {
  std::vector<std::string> all = {clang, "-v", "-x", "ir", "--target=nvptx64-nvidia-cuda"};
  const auto add = [&all](std::initializer_list<std::string> options) {
    all.insert(all.end(), options);
  };
  add({fmt::format("-march=sm_{}", architecture(request.compute_capability)), "-nogpulib"});
  append_code_options(all);
  // -ffp-contract has no effect on LLVM's text.
  add({"-mllvm", "-nvptx-fma-level=2"});
  // Components of a vector must not be loaded one by one.
  add({"-mllvm", "-disable-vector-combine"});
  add({"-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument", "-o", "-", "-"});
  return all;
}

/// The second step's messages, "warning: kernel.cu:4:3: loop not unrolled", in the first step's
/// form.
std::string placed_in_front(const std::string& log) {
  std::string result;
  for (std::string& line : split_lines(log)) {
    const std::string start = "warning: ";
    const auto end = line.find(": ", start.size());
    if (line.starts_with(start) && end != std::string::npos)
      line = fmt::format("{}: {}{}", line.substr(start.size(), end - start.size()), start,
                         line.substr(end + 2));
    result += line + "\n";
  }
  return result;
}

/// Files that Clang reads in addition to the system's, if it was installed outside them.
std::vector<std::string> read_by_clang(const std::string& clang, const BackendRequest& request) {
  std::error_code ignored;
  const auto program = std::filesystem::canonical(clang, ignored);
  const auto libraries = program.parent_path().parent_path() / "lib";
  std::vector<std::string> paths = {request.compiler.include_dir.string(), program.string(),
                                    libraries.string()};
  for (const auto& folder : request.compiler.header_dirs) paths.push_back(folder.string());
  return paths;
}

BackendOutput::End clang_ending(const ChildResult& run) {
  using End = BackendOutput::End;
  if (run.end == ChildResult::End::out_of_time) return End::out_of_time;
  if (run.end == ChildResult::End::out_of_output) return End::out_of_output;
  if (run.end == ChildResult::End::exited && run.status == 0) return End::compiled;
  const bool refused = run.end == ChildResult::End::exited && run.status == 1;
  // An error's text may hold words of the source, whatever they say.
  if (refused && run.log.find(": error: ") != std::string::npos) return End::refused;
  if (run.log.find("out of memory") != std::string::npos ||
      run.log.find("bad_alloc") != std::string::npos) {
    return End::out_of_memory;
  }
  // How Clang ends after an error of the part that emits PTX depends on its version.
  const bool names_an_error = run.log.find("error in backend: ") != std::string::npos;
  return refused || names_an_error ? End::refused : End::crashed;
}

Expected<BackendOutput> run_clang(const std::string& path, const BackendRequest& request,
                                  const std::vector<std::string>& arguments,
                                  const std::string& program) {
  const CompilerTask task{
      .tool = CompilerTool::clang, .program = program, .file_name = {}, .arguments = arguments};
  auto compiled = run_compiler(request.compiler.program,
                               {.library = {},
                                .readable = read_by_clang(path, request),
                                .cpu_seconds = request.time_limit_s},
                               task);
  if (!compiled) return compiled.error();
  ChildResult* run = &compiled->child;
  if (run->end == ChildResult::End::exited && run->status == kNoProgram)
    return Error{.file = path, .message = "cannot be run"};
  const std::string version = version_in(run->log);
  if (auto problem = check_version(path, version)) return *problem;
  BackendOutput output;
  output.end = clang_ending(*run);
  output.compiler = "clang " + version;
  output.log = std::move(run->log);
  if (output.end == BackendOutput::End::compiled) output.ptx = std::move(run->output);
  return output;
}

}  // namespace

Expected<std::string> find_clang() {
  if (const char* chosen = std::getenv("TESSERA_CLANG"); chosen != nullptr && *chosen != '\0') {
    const std::string path = find_program(chosen);
    if (!path.empty()) return path;
    return Error{.message = fmt::format("TESSERA_CLANG={}: there is no such program", chosen)};
  }
  std::vector<std::string> names = {"clang++"};
  for (int major = kNewestClang; major >= kOldestClang; --major) {
    names.push_back(fmt::format("clang++-{}", major));
  }
  for (const std::string& name : names) {
    const std::string path = find_program(name);
    if (!path.empty()) return path;
  }
  return Error{.message = fmt::format("no clang++ was found in PATH; {}", kClangRemedy)};
}

CompilerInfo clang_info() {
  CompilerInfo info{.kind = CompilerKind::clang, .version = {}, .reason = {}};
  const auto path = find_clang();
  if (!path) {
    info.reason = path.error().str();
    return info;
  }
  const auto run = run_program({*path, "--version"}, "", {.cpu_seconds = 10});
  if (!run) {
    info.reason = run.error().str();
    return info;
  }
  const std::string version = version_in(run->output);
  if (const auto problem = check_version(*path, version)) {
    info.reason = problem->str();
    return info;
  }
  info.available = true;
  info.version = "clang " + version;
  return info;
}

std::filesystem::path clang_toolkit_dir(const std::filesystem::path& include_dir) {
  return include_dir / "tessera/clang/toolkit";
}

Expected<std::string> clang_identity() {
  auto path = find_clang();
  if (!path) return path.error();
  std::error_code error;
  const auto program = std::filesystem::canonical(*path, error);
  const auto size = std::filesystem::file_size(program, error);
  const auto time = std::filesystem::last_write_time(program, error).time_since_epoch().count();
  return fmt::format("{} {} {}", program.string(), size, time);
}

Expected<BackendOutput> compile_with_clang(const BackendRequest& request) {
  const auto path = find_clang();
  if (!path) return path.error();
  using End = BackendOutput::End;
  const auto first = arguments(*path, request);
  const auto in_one_step = [&] { return run_clang(*path, request, first, request.program); };
  const Source program(request.program);
  std::optional<Expected<BackendOutput>> plain;
  if (!names_vectors(program)) {
    plain = in_one_step();
    const auto& code = *plain;
    const bool whole =
        !code || code->end != End::compiled || keeps_shared_variables(code->ptx, program);
    if (whole) return code;
  }

  // In two steps, with LLVM's text changed in between; if that fails, in one step.
  auto read = first;
  read.insert(read.end() - 1, {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
  auto output = run_clang(*path, request, read, request.program);
  if (!output || (output->end != End::compiled && output->end != End::out_of_output)) return output;
  const auto whole = with_whole_vector_copies(output->ptx);
  const std::string text = with_kept_shared_variables(whole ? *whole : output->ptx);
  if (text != output->ptx) {
    auto code = run_clang(*path, request, second_step(*path, request), text);
    if (!code) return code.error();
    if (code->end == End::compiled || code->end == End::out_of_time) {
      code->log = output->log + placed_in_front(code->log);
      code->compiler = output->compiler;
      return code;
    }
  }
  return plain ? *std::move(plain) : in_one_step();
}

}  // namespace tessera
