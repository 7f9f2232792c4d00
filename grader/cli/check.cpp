// tessera check: findings and metrics of any kernel, without a lab.
#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <memory>

#include "common/text.h"
#include "grader/cli/check_kernel.h"
#include "grader/cli/commands.h"
#include "grader/cli/json_output.h"
#include "grader/cli/options.h"
#include "grader/report/sarif.h"

namespace tessera {
namespace {

/// A second or two of one warp; a kernel that is checked on a CPU needs no more.
constexpr std::uint64_t kStepLimit = 40'000'000;
/// For all warps together: about an hour.
constexpr std::uint64_t kLaunchStepLimit = 2500 * kStepLimit;

struct CheckArguments {
  std::string file;
  std::string kernel;
  std::string grid;
  std::string block;
  std::uint64_t shared_bytes = 0;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
  std::vector<std::string> header_dirs;
  bool time_only = false;
  std::string fail_on = "error";
  std::string sarif;
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
  return Error{.file = fmt::format("{} {}", option, text),
               .message = "expected X, X,Y or X,Y,Z in whole numbers, as in 16,16"};
}

Expected<LaunchShape> parse_shape(const CheckArguments& arguments) {
  const Expected<Dim3> grid = parse_dim3("--grid", arguments.grid);
  if (!grid) return grid.error();
  const Expected<Dim3> block = parse_dim3("--block", arguments.block);
  if (!block) return block.error();
  return LaunchShape{*grid, *block, arguments.shared_bytes};
}

std::map<std::string, Severity> severities() {
  std::map<std::string, Severity> words;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info})
    words.emplace(to_string(severity), severity);
  return words;
}

/// Where machines read the report.
struct CheckOutputs {
  JsonOutput json;
  JsonOutput sarif;

  bool take_standard_output() const {
    return json.takes_standard_output() || sarif.takes_standard_output();
  }
  std::optional<Error> check() const {
    if (json.takes_standard_output() && sarif.takes_standard_output())
      return Error{.file = "--sarif -", .message = "--json already takes standard output"};
    const std::optional<Error> error = json.check();
    return error ? error : sarif.check();
  }
};

ExitStatus write_report(const CheckOutcome& outcome, const CheckOutputs& outputs,
                        Severity fail_on) {
  const CheckReport& report = outcome.report;
  if (!outputs.take_standard_output()) std::cout << text_report(report, terminal_options());
  if (!outputs.json.write(json_report(report))) return kInfrastructure;
  if (!outputs.sarif.write(sarif_report(report, TESSERA_VERSION))) return kInfrastructure;
  if (outcome.infra) return kInfrastructure;
  const bool wrong = std::ranges::any_of(
      report.findings, [&](const Finding& finding) { return finding.severity <= fail_on; });
  return wrong ? kPointsLost : kSuccess;
}

ExitStatus run_check(const CheckArguments& arguments) {
  const CheckOutputs outputs{.json = JsonOutput(arguments.shared.json),
                             .sarif = JsonOutput(arguments.sarif)};
  if (const auto error = outputs.check()) return usage_error(*error);
  const Expected<Locations> locations = find_kit();
  if (!locations) return usage_error(locations.error());
  const Expected<DeviceProfile> device =
      load_device_profile(arguments.shared.device, locations->kit.devices());
  if (!device) return usage_error(device.error());
  const Expected<LaunchShape> shape = parse_shape(arguments);
  if (!shape) return usage_error(shape.error());
  CheckRequest request;
  request.file = arguments.file;
  request.kernel = arguments.kernel;
  request.shape = *shape;
  request.arguments = arguments.arguments;
  request.compiler = *compiler_from(arguments.shared.compiler);
  request.device = *device;
  request.seed = arguments.shared.seed.value_or(fresh_seed());
  request.step_limit = kStepLimit;
  request.launch_step_limit = kLaunchStepLimit;
  request.host_threads = arguments.shared.threads;
  request.time_only = arguments.time_only;
  request.outputs = arguments.outputs;
  request.header_dirs.assign(arguments.header_dirs.begin(), arguments.header_dirs.end());
  const auto checked = check_kernel(request, *locations);
  if (const auto* failure = std::get_if<CheckFailure>(&checked)) {
    print_error(failure->error);
    return failure->infra ? kInfrastructure : kUsage;
  }
  return write_report(std::get<CheckOutcome>(checked), outputs, severities().at(arguments.fail_on));
}

}  // namespace

Command add_check_command(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Run any kernel: findings and metrics");
  command->add_option("FILE", arguments->file, "The .cu file, or PTX that ends in .ptx")
      ->required();
  command->add_option("--kernel", arguments->kernel, "Name of the __global__ function")->required();
  command->add_option("--grid", arguments->grid, "Blocks: X[,Y[,Z]]")->required();
  command->add_option("--block", arguments->block, "Threads: X[,Y[,Z]]")->required();
  command->add_option("--shared", arguments->shared_bytes, "Bytes of dynamic shared memory");
  command
      ->add_option("--arg", arguments->arguments,
                   "An argument, in the kernel's order: int32=64, float32[4096]=uniform, "
                   "float32[64,48]=a.npy, matrix:float32[64,48]=zeros, float32[64]=unwritten, "
                   "float32[64]=ones@16 (the first 16 are written), '&x[12]' (into the array of "
                   "parameter x), struct:int32=3,float32[64]=ones, bytes:0a0b")
      ->type_size(1)
      ->allow_extra_args(false);
  command
      ->add_option("--out", arguments->outputs,
                   "NAME=FILE.npy: an array after the launch, by the kernel's parameter")
      ->type_size(1)
      ->allow_extra_args(false);
  command
      ->add_option("--include", arguments->header_dirs,
                   "A folder with headers, beside the one of FILE; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--fail-on", arguments->fail_on,
                   "error, warning or info: the least of the findings that ends with status 1")
      ->capture_default_str()
      ->check(CLI::IsMember(severities()));
  command->add_option("--sarif", arguments->sarif,
                      "File for the findings as SARIF, or - for standard output");
  command->add_flag("--time-only", arguments->time_only,
                    "Run a few blocks for the modelled time; check nothing");
  add_shared_options(*command, arguments->shared);
  return {command, [arguments] { return run_check(*arguments); }};
}

}  // namespace tessera
