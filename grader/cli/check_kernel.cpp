#include "grader/cli/check_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/link_out_of.h"
#include "common/mixed.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "grader/cli/check_argument.h"
#include "grader/compile/array_shapes.h"
#include "grader/compile/cubin.h"
#include "grader/compile/include_rules.h"
#include "grader/compile/ptx_text.h"
#include "grader/compile/source_facts.h"
#include "grader/judge/run/load_finding.h"
#include "grader/judge/run/resources.h"
#include "grader/judge/run/signature.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSourceBytes = 1u << 20;

/// Whether the path leads into one of the folders, as far as its text says.
bool lies_in(const fs::path& file, const std::vector<fs::path>& folders) {
  return std::ranges::any_of(folders, [&](const fs::path& folder) {
    const fs::path way = file.lexically_relative(folder.lexically_normal());
    return !way.empty() && *way.begin() != "..";
  });
}

/// The files that a source includes from these folders, directly or by one another.
std::vector<std::pair<fs::path, Source>> included_files(const Source& source,
                                                        const std::vector<fs::path>& folders) {
  constexpr std::size_t kMostFiles = 256;
  std::vector<std::pair<fs::path, Source>> files;
  const auto add = [&](const fs::path& file) {
    if (std::ranges::count(files, file, &std::pair<fs::path, Source>::first) != 0) return;
    if (!lies_in(file, folders)) return;
    if (const auto text = read_file(file, kMaxSourceBytes)) files.emplace_back(file, Source(*text));
  };
  const auto add_from = [&](const Source& including, std::vector<fs::path> searched) {
    for (const std::string& path : included_headers(including)) {
      const auto folder = std::ranges::find_if(searched, [&](const fs::path& at) {
        std::error_code none;
        return fs::is_regular_file(at / path, none);
      });
      if (folder != searched.end() && files.size() < kMostFiles)
        add((*folder / path).lexically_normal());
    }
  };
  add_from(source, folders);
  for (std::size_t next = 0; next < files.size(); ++next) {
    const Source including = files[next].second;
    std::vector<fs::path> searched{files[next].first.parent_path()};
    searched.insert(searched.end(), folders.begin(), folders.end());
    add_from(including, std::move(searched));
  }
  return files;
}

class Check {
 public:
  Check(const CheckRequest& arguments, const Locations& locations)
      : arguments_(arguments),
        locations_(locations),
        interpreter_({.program = locations.interpreter, .threads = arguments.host_threads}),
        place_{.datasets = locations.kit.datasets, .memory = memory_, .arrays = {}} {
    request_.device = arguments.device;
    request_.shape = arguments.shape;
    request_.host_threads = arguments.host_threads;
    request_.step_limit = arguments.step_limit;
    request_.launch_step_limit = arguments.launch_step_limit;
    request_.source_file = fs::path(arguments.file).filename().string();
    request_.memory = &memory_;
    request_.cache_lines = true;
    request_.load_use = true;
    report_.path = arguments.file;
    report_.kernel = arguments.kernel;
    report_.device = "simulated " + request_.device.name;
    report_.seed = arguments.seed;
    request_.key = mixed(arguments.seed);
  }

  std::optional<Error> run() {
    const fs::path file = arguments_.file;
    if (auto error = link_out_of(file.parent_path(), file)) return error;
    const Expected<std::string> source = read_file(arguments_.file, kMaxSourceBytes);
    if (!source) return source.error();
    source_ = Source(*source);
    report_.source = source_.lines();
    if (is_ptx()) {
      report_.compiler = "PTX";
      return run_ptx(with_own_lines(source_.as_read(), request_.source_file));
    }
    const Stopwatch stopwatch;
    const Expected<CompileResult> compiled = compile_for(request_.device, compile_request());
    report_.compile_seconds = stopwatch.seconds();
    if (!compiled) {
      infra_ = true;
      return compiled.error();
    }
    report_.compiler = compiled->compiler;
    report_.findings = compiled->findings;
    return compiled->ok ? run_ptx(compiled->ptx) : std::nullopt;
  }

  CheckReport take_report() { return std::move(report_); }
  bool infra() const { return infra_; }

 private:
  bool is_ptx() const { return arguments_.file.ends_with(".ptx"); }

  /// The folders of the source's own headers, if it includes any.
  std::vector<fs::path> header_dirs() const {
    if (!includes_other_headers(source_)) return {};
    std::vector<fs::path> folders{fs::absolute(arguments_.file).parent_path()};
    for (const fs::path& folder : arguments_.header_dirs) folders.push_back(fs::absolute(folder));
    return folders;
  }

  CompileRequest compile_request() const {
    CompileRequest request;
    request.source = source_;
    request.file_name = fs::path(arguments_.file).filename().string();
    request.compiler = locations_.compiler;
    request.compiler.kind = arguments_.compiler;
    request.compiler.header_dirs = header_dirs();
    return request;
  }

  std::optional<Error> run_ptx(const std::string& ptx) {
    const auto kernels = interpreter_.load(ptx);
    if (!kernels) return refuse(kernels.error(), ptx);
    const Expected<KernelInfo> kernel = choose_kernel(*kernels);
    if (!kernel) return kernel.error();
    request_.entry = kernel->entry;
    if (!is_ptx()) know_source(kernel->name);
    if (auto error = make_arguments(*kernel)) return error;
    if (auto error = find_outputs()) return error;
    if (arguments_.time_only) return model_time(*kernel);
    DeviceMemory::Snapshot before;
    const bool order_matters = kernel->order_matters(request_.shape);
    if (order_matters) before = memory_.snapshot();
    const Stopwatch stopwatch;
    RunResult result = interpreter_.run(request_);
    report_.run_seconds = stopwatch.seconds();
    if (order_matters && result.status == RunStatus::completed) add_other_turns(before, result);
    infra_ = result.status == RunStatus::unsupported;
    report_.metrics = std::move(result.metrics);
    if (result.status == RunStatus::completed) add_what_it_takes();
    report_.lines = std::move(result.lines);
    report_.output = std::move(result.output);
    report_.output_cut = result.output_cut;
    report_.prints = result.prints;
    std::ranges::move(result.findings, std::back_inserter(report_.findings));
    return write_outputs();
  }

  /// Takes what the source shows of the kernel, from the header that declares it if it is not the
  /// file itself. Findings then name that header's lines.
  void know_source(const std::string& kernel) {
    const auto declares = [&](const Source& source) {
      return function_facts(source, kernel).is_global;
    };
    kernel_source_ = source_;
    if (!declares(source_)) {
      for (auto& [file, header] : included_files(source_, header_dirs())) {
        if (!declares(header)) continue;
        kernel_source_ = std::move(header);
        report_.path = file.string();
        report_.source = kernel_source_.lines();
        request_.source_file = file.filename().string();
        break;
      }
    }
    request_.arrays = array_shapes(kernel_source_);
    request_.return_lines = return_lines(kernel_source_);
    request_.name_lines = name_lines(kernel_source_);
  }

  /// Reports why the PTX does not load.
  std::optional<Error> refuse(const LoadError& error, const std::string& ptx) {
    if (is_ptx()) {
      std::string message = error.message;
      std::ranges::replace(message, '\n', ' ');  // it may quote the file
      return Error{.file = arguments_.file, .line = error.line, .message = std::move(message)};
    }
    const auto compiled = compile_with_code(request_.device, compile_request());
    const bool is_assembled = compiled && !compiled->cubin.empty();
    report_.findings.push_back(
        load_finding(error, ptx, source_, request_.source_file, is_assembled));
    infra_ = report_.findings.back().kind != FindingKind::does_not_compile;
    return std::nullopt;
  }

  /// What machine code for the device shows; nothing if the file is PTX.
  std::optional<CompileResult> machine_code() const {
    if (is_ptx()) return std::nullopt;
    auto compiled = compile_with_code(request_.device, compile_request());
    return compiled ? std::optional(std::move(*compiled)) : std::nullopt;
  }

  /// Writes the arrays that --out asks for.
  std::optional<Error> write_outputs() {
    for (const auto& [array, file] : outputs_) {
      if (auto error = write_array(file, *array, memory_)) return error;
    }
    return std::nullopt;
  }

  /// Finds the arrays that --out asks for.
  std::optional<Error> find_outputs() {
    for (const std::string& text : arguments_.outputs) {
      const std::size_t equals = std::min(text.find('='), text.size());
      const std::string name = text.substr(0, equals);
      const auto mistake = [&](std::string message) {
        return Error{.file = "--out " + text, .message = std::move(message)};
      };
      if (!text.ends_with(".npy"))
        return mistake("write NAME=FILE.npy, with the name of one of the kernel's parameters");
      const auto array = std::ranges::find(place_.arrays, name, &PlacedArray::name);
      std::vector<std::string> names;
      for (const PlacedArray& known : place_.arrays) names.push_back(known.name);
      if (array == place_.arrays.end())
        return mistake(fmt::format("no array is called {}{}; there are: {}", name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
      outputs_.emplace_back(&*array, text.substr(equals + 1));
    }
    return std::nullopt;
  }

  static Finding order_without_end() {
    Finding finding;
    finding.kind = FindingKind::step_limit;
    finding.severity = Severity::info;
    finding.message = Phrase::order_without_end;
    finding.hint = Phrase::order_without_end_hint;
    return finding;
  }

  /// Adds the findings of other orders of the warps. One that does not end gets a remark: it may
  /// take longer, or wait for ever.
  void add_other_turns(const DeviceMemory::Snapshot& before, RunResult& result) {
    const DeviceMemory::Snapshot after = memory_.snapshot();
    const auto ends = [&](Turns turns) {
      memory_.restore(before);
      request_.turns = turns;
      std::vector<Finding> findings = interpreter_.run(request_).findings;
      const auto stopped = std::erase_if(
          findings, [](const Finding& finding) { return finding.kind == FindingKind::step_limit; });
      add_unreported_errors(result.findings, std::move(findings));
      return stopped == 0;
    };
    request_.hold = hold_beyond(longest_warp(result));
    bool all_end = true;
    for (const auto& [turns, instead] : kOtherOrders)
      all_end &= ends(turns) || (instead && ends(*instead));
    // Each block draws an order of its own; few blocks draw several.
    constexpr std::uint64_t kDrawnOrders = 16;
    const std::uint64_t blocks = std::max<std::uint64_t>(request_.shape.grid.count(), 1);
    for (std::uint64_t drawn_orders = blocks; all_end && drawn_orders < kDrawnOrders;
         drawn_orders += blocks) {
      request_.key = mixed(report_.seed + drawn_orders);
      all_end &= ends(Turns::drawn);
    }
    if (!all_end) result.findings.push_back(order_without_end());
    request_.turns = Turns::usual;
    memory_.restore(after);
  }

  /// Adds occupancy and modelled time.
  void add_what_it_takes() {
    const std::optional<CompileResult> compiled = machine_code();
    if (compiled && !compiled->ok)
      std::ranges::copy(compiled->findings, std::back_inserter(report_.findings));
    const auto registers = cubin_registers(compiled ? compiled->cubin : "", request_.entry);
    const KernelNeeds needs{.registers_per_thread = registers.value_or(0)};
    std::ranges::move(check_launch(request_.shape, needs, request_.device),
                      std::back_inserter(report_.findings));
    report_.occupancy = add_occupancy(report_.metrics, request_.device, request_.shape, registers);
    report_.modelled = add_modelled_time(report_.metrics, interpreter_, request_, registers);
  }

  std::optional<Error> model_time(const KernelInfo& kernel) {
    report_.time_only = true;
    const KernelNeeds needs{.static_shared_bytes = kernel.static_shared_bytes,
                            .bounds = kernel.bounds};
    report_.findings = check_launch(request_.shape, needs, request_.device);
    if (!report_.findings.empty()) return std::nullopt;
    report_.metrics[Metric::static_shared_bytes] = static_cast<double>(kernel.static_shared_bytes);
    report_.metrics[Metric::dynamic_shared_bytes] =
        static_cast<double>(request_.shape.shared_bytes);
    const Stopwatch stopwatch;
    add_what_it_takes();
    report_.run_seconds = stopwatch.seconds();
    if (!report_.modelled.empty() || !report_.findings.empty()) return std::nullopt;
    return Error{.file = "--time-only",
                 .message = "a block of the launch stops; check it without this option"};
  }

  /// Chooses by name; among overloads, the one with as many parameters as there are arguments.
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
    return Error{
        .file = arguments_.file,
        .message = fmt::format("no __global__ function called {}{}; found: {}", arguments_.kernel,
                               did_you_mean(arguments_.kernel, names), fmt::join(names, ", "))};
  }

  std::optional<Error> make_arguments(const KernelInfo& kernel) {
    const std::size_t expected = kernel.parameter_bytes.size();
    if (arguments_.arguments.size() != expected) {
      return Error{.file = "--arg",
                   .message = fmt::format(
                       "{} takes {} arguments, {} given; repeat --arg in the order of its "
                       "parameters",
                       kernel.signature, expected, arguments_.arguments.size())};
    }
    const std::vector<std::string> names = parameter_names(kernel_source_, kernel.name, expected);
    for (std::size_t i = 0; i < expected; ++i) {
      const bool named = i < names.size() && !names[i].empty();
      if (auto error = add_argument(kernel, i, named ? names[i] : fmt::format("arg{}", i + 1)))
        return error;
    }
    return std::nullopt;
  }

  std::optional<Error> add_argument(const KernelInfo& kernel, std::size_t index,
                                    const std::string& name) {
    const std::string& text = arguments_.arguments[index];
    const Expected<ArgumentSpec> spec = parse_argument(text);
    if (!spec) return spec.error();
    const auto types = parameter_types(kernel.signature);
    if (types && index < types->size()) {
      if (const auto instead = argument_instead((*types)[index], *spec))
        return Error{.file = "--arg " + text,
                     .message = fmt::format("parameter {} of {} is a {}; write {}", index + 1,
                                            kernel.signature, (*types)[index], *instead)};
    }
    const auto argument = make_argument(*spec, name, report_.seed + index, place_);
    if (!argument) return argument.error();
    if (argument->size() != kernel.parameter_bytes[index]) {
      return Error{
          .file = "--arg " + text,
          .message = fmt::format("has {} bytes, parameter {} of {} has {}", argument->size(),
                                 index + 1, kernel.signature, kernel.parameter_bytes[index])};
    }
    request_.arguments.push_back(*argument);
    return std::nullopt;
  }

  const CheckRequest& arguments_;
  const Locations& locations_;
  Source source_;
  Source kernel_source_;  // of the file in which the kernel stands
  Interpreter interpreter_;
  DeviceMemory memory_{DeviceMemory::Storage::shared};
  ArgumentPlace place_;
  std::vector<std::pair<const PlacedArray*, fs::path>> outputs_;
  RunRequest request_;
  CheckReport report_;
  bool infra_ = false;
};

}  // namespace

std::variant<CheckOutcome, CheckFailure> check_kernel(const CheckRequest& request,
                                                      const Locations& locations) {
  Check check(request, locations);
  if (const auto error = check.run()) return CheckFailure{*error, check.infra()};
  return CheckOutcome{check.take_report(), check.infra()};
}

}  // namespace tessera
