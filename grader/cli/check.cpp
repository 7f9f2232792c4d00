// tessera check: any kernel, no lab; findings and metrics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>

#include "common/text.h"
#include "grader/cli/check_argument.h"
#include "grader/cli/commands.h"
#include "grader/cli/locations.h"
#include "grader/cli/options.h"
#include "grader/compile/compiler.h"
#include "grader/compile/parameter_names.h"
#include "grader/report/report.h"
#include "grader/simulator/simulator.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSourceBytes = 1u << 20;

/// A few seconds of one warp; no kernel that is checked on a CPU needs more.
constexpr std::uint64_t kStepLimit = 100'000'000;

struct CheckArguments {
  std::string file;
  std::string kernel;
  std::string grid;
  std::string block;
  std::uint64_t shared_bytes = 0;
  std::vector<std::string> arguments;
  SharedOptions shared;
};

Expected<Dim3> parse_dim3(const std::string& option, const std::string& text) {
  std::uint32_t values[3] = {1, 1, 1};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [stop, status] = std::from_chars(at, end, values[i]);
    if (status != std::errc()) break;
    if (stop == end) return Dim3{values[0], values[1], values[2]};
    if (*stop != ',') break;
    at = stop + 1;
  }
  return Error{fmt::format("{} {}", option, text), 0, 0,
               "expected X, X,Y or X,Y,Z in whole numbers, as in 16,16"};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one `tessera check`; what a user did wrong is an Error, what is wrong with the kernel is in
/// the report.
class Check {
 public:
  Check(const CheckArguments& arguments, const Locations& locations, DeviceProfile device)
      : arguments_(arguments), locations_(locations) {
    request_.device = std::move(device);
    request_.host_threads = arguments.shared.threads;
    request_.step_limit = kStepLimit;
    request_.source_file = fs::path(arguments.file).filename().string();
    request_.memory = &memory_;
    report_.path = arguments.file;
    report_.kernel = arguments.kernel;
    report_.device = "simulated " + request_.device.name;
    report_.seed = arguments.shared.seed.value_or(fresh_seed());
  }

  std::optional<Error> run() {
    const Expected<std::string> source = read_file(arguments_.file, kMaxSourceBytes);
    if (!source) return source.error();
    source_ = normalize_source(*source);
    report_.source = split_lines(source_);
    if (auto error = parse_shape()) return error;
    const Expected<CompileResult> compiled = compile_source(*source);
    if (!compiled) {
      infra_ = true;
      return compiled.error();
    }
    report_.compiler = compiled->compiler;
    report_.findings = compiled->findings;
    return compiled->ok ? run_ptx(compiled->ptx) : std::nullopt;
  }

  const CheckReport& report() const { return report_; }
  bool infra() const { return infra_; }

 private:
  std::optional<Error> parse_shape() {
    const Expected<Dim3> grid = parse_dim3("--grid", arguments_.grid);
    if (!grid) return grid.error();
    const Expected<Dim3> block = parse_dim3("--block", arguments_.block);
    if (!block) return block.error();
    request_.shape = {*grid, *block, arguments_.shared_bytes};
    return std::nullopt;
  }

  Expected<CompileResult> compile_source(const std::string& source) {
    const auto start = std::chrono::steady_clock::now();
    CompileRequest request;
    request.source = source;
    request.file_name = request_.source_file;
    request.include_dir = locations_.include_dir;
    request.compiler = *compiler_from(arguments_.shared.compiler);
    request.cache_dir = locations_.cache;
    Expected<CompileResult> result = compile(request);
    report_.compile_seconds = seconds_since(start);
    return result;
  }

  std::optional<Error> run_ptx(const std::string& ptx) {
    const auto module = load_module(ptx);
    if (!module) {
      infra_ = true;
      return module.error();
    }
    request_.module = module->get();
    const Expected<KernelInfo> kernel = choose_kernel(kernels(**module));
    if (!kernel) return kernel.error();
    request_.entry = kernel->entry;
    if (auto error = make_arguments(*kernel)) return error;
    const auto start = std::chrono::steady_clock::now();
    RunResult result = tessera::run(request_);
    report_.run_seconds = seconds_since(start);
    infra_ = result.status == RunStatus::unsupported;
    report_.metrics = std::move(result.metrics);
    report_.output = std::move(result.output);
    std::ranges::move(result.findings, std::back_inserter(report_.findings));
    return std::nullopt;
  }

  /// By name; among overloads the one with as many parameters as there are arguments.
  Expected<KernelInfo> choose_kernel(const std::vector<KernelInfo>& all) const {
    std::vector<std::string> names;
    std::optional<KernelInfo> chosen;
    for (const KernelInfo& kernel : all) {
      names.push_back(kernel.name);
      if (kernel.name != arguments_.kernel) continue;
      const bool fits = kernel.parameter_bytes.size() == arguments_.arguments.size();
      if (!chosen || fits) chosen = kernel;
    }
    if (chosen) return *chosen;
    return Error{arguments_.file, 0, 0,
                 fmt::format("no __global__ function called {}{}; found: {}", arguments_.kernel,
                             did_you_mean(arguments_.kernel, names), fmt::join(names, ", "))};
  }

  std::optional<Error> make_arguments(const KernelInfo& kernel) {
    const std::size_t expected = kernel.parameter_bytes.size();
    if (arguments_.arguments.size() != expected) {
      return Error{"--arg", 0, 0,
                   fmt::format("{} takes {} arguments, {} given; repeat --arg in the order of its "
                               "parameters",
                               kernel.signature, expected, arguments_.arguments.size())};
    }
    const std::vector<std::string> names = parameter_names(source_, kernel.name, expected);
    for (std::size_t i = 0; i < expected; ++i) {
      const bool named = i < names.size() && !names[i].empty();
      const Expected<Argument> argument =
          argument_at(i, named ? names[i] : fmt::format("arg{}", i + 1));
      if (!argument) return argument.error();
      if (argument->size() != kernel.parameter_bytes[i]) {
        return Error{"--arg " + arguments_.arguments[i], 0, 0,
                     fmt::format("has {} bytes, parameter {} of {} has {}", argument->size(), i + 1,
                                 kernel.signature, kernel.parameter_bytes[i])};
      }
      request_.arguments.push_back(*argument);
    }
    return std::nullopt;
  }

  Expected<Argument> argument_at(std::size_t index, const std::string& name) {
    const Expected<ArgumentSpec> spec = parse_argument(arguments_.arguments[index]);
    if (!spec) return spec.error();
    return make_argument(*spec, name, report_.seed + index, locations_.datasets, memory_);
  }

  const CheckArguments& arguments_;
  const Locations& locations_;
  std::string source_;
  DeviceMemory memory_;
  RunRequest request_;
  CheckReport report_;
  bool infra_ = false;
};

ExitStatus write_report(const Check& check, const std::string& json) {
  const CheckReport& report = check.report();
  std::cout << text_report(report, terminal_options());
  if (!json.empty()) {
    if (const auto error = write_file(json, json_report(report))) {
      print_error(*error);
      return kInfrastructure;
    }
  }
  if (check.infra()) return kInfrastructure;
  const bool wrong = std::ranges::count(report.findings, Severity::error, &Finding::severity) > 0;
  return wrong ? kPointsLost : kSuccess;
}

ExitStatus run_check(const CheckArguments& arguments) {
  const auto usage = [](const Error& error) {
    print_error(error);
    return kUsage;
  };
  if (!arguments.shared.json.empty()) {
    if (const auto error = check_writable(arguments.shared.json)) return usage(*error);
  }
  const Expected<Locations> locations = find_locations("");
  if (!locations) return usage(locations.error());
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->devices);
  if (!device) return usage(device.error());
  Check check(arguments, *locations, *device);
  if (const auto error = check.run()) {
    print_error(*error);
    return check.infra() ? kInfrastructure : kUsage;
  }
  return write_report(check, arguments.shared.json);
}

}  // namespace

Command add_check_command(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Run any kernel: findings and metrics");
  command->add_option("FILE", arguments->file, "The .cu file")->required();
  command->add_option("--kernel", arguments->kernel, "Name of the __global__ function")->required();
  command->add_option("--grid", arguments->grid, "Blocks: X[,Y[,Z]]")->required();
  command->add_option("--block", arguments->block, "Threads: X[,Y[,Z]]")->required();
  command->add_option("--shared", arguments->shared_bytes, "Bytes of dynamic shared memory");
  command
      ->add_option("--arg", arguments->arguments,
                   "An argument, in the kernel's order: int32=64, float32[4096]=uniform, "
                   "float32[64,48]=a.npy, matrix:float32[64,48]=zeros, float32[64]=unwritten")
      ->type_size(1)
      ->allow_extra_args(false);
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_check(*arguments); }};
}

}  // namespace tessera
