#include "grader/experiment/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "common/parallel.h"
#include "grader/experiment/facts.h"
#include "grader/experiment/gpu_time.h"
#include "grader/experiment/host_time.h"
#include "grader/experiment/prepared.h"
#include "grader/experiment/simulated.h"

namespace tessera {
namespace {

/// No larger operands are made for the simulator, since they and their copies must fit in memory.
constexpr double kMostModelledBytes = 256e6;

/// Slower kernels are left out, since a time takes several launches.
constexpr double kMostLaunchMs = 3000;

bool wants(const Experiment& experiment, std::initializer_list<Metric> metrics) {
  return std::ranges::any_of(metrics, [&](Metric metric) { return experiment.measures(metric); });
}

bool wants_time(const Experiment& experiment) {
  return wants(experiment, {Metric::time_ms, Metric::gflops, Metric::gb_per_s, Metric::efficiency});
}

/// Whether times are modelled: the experiment asks for it, or there is no GPU to measure them.
bool wants_model(const Experiment& experiment, const Machine& machine) {
  if (!machine.simulate) return false;
  return experiment.measures(Metric::modelled_time_ms) || (!machine.gpu && wants_time(experiment));
}

bool can_be_modelled(const Experiment& experiment, int shape) {
  return operand_bytes(experiment, shape) <= kMostModelledBytes;
}

class Run {
 public:
  Run(const Experiment& experiment, const RunOptions& options)
      : experiment_(experiment), options_(options), variants_(variants_of(experiment)) {
    steps_.all = variants_.size();
    for (const int shape : experiment.shapes) {
      for (const Variant& variant : variants_) steps_.all += is_timed(variant, shape);
    }
  }

  std::optional<Error> run() {
    Expected<std::vector<DeviceProfile>> devices =
        load_devices(experiment_, options_.grade.kit.devices());
    if (!devices) return devices.error();
    devices_ = std::move(*devices);
    const DeviceProfile& here = target_device(options_.grade.machine);
    std::erase_if(devices_,
                  [&](const DeviceProfile& profile) { return profile.name == here.name; });
    devices_.insert(devices_.begin(), here);
    prepare();
    for (const int shape : experiment_.shapes) {
      if (auto error = run_shape(shape)) return error;
    }
    return std::nullopt;
  }

 private:
  bool is_timed(const Variant& variant, int shape) const {
    return !variant.row->max_shape || shape <= *variant.row->max_shape;
  }

  void step(const Variant& variant, const std::string& where) {
    steps_.what = variant.label() + where;
    if (options_.on_step) options_.on_step(steps_);
    ++steps_.done;
  }

  void emit(const Variant& variant, std::vector<Value> values) {
    for (Value& value : values) {
      value.row = variant.row->name;
      value.settings = variant.settings;
      if (options_.on_value) options_.on_value(value);
      if (value.metric == experiment_.ratio.of || value.metric == Metric::modelled_time_ms)
        times_[{variant.label(), value.shape}] = value;
    }
  }

  /// Compiles, counts and calculates several variants side by side; emits them in their order.
  void prepare() {
    GradeOptions options = options_.grade;
    const int threads = std::exchange(options.machine.host_threads, 1);
    std::vector<std::optional<Prepared>> ready(variants_.size());
    std::size_t emitted = 0;
    std::mutex mutex;
    in_parallel(variants_.size(), threads, [&](std::size_t i, std::size_t) {
      {
        const std::lock_guard lock(mutex);
        step(variants_[i], "");
      }
      Prepared prepared = prepare_variant(experiment_, variants_[i], devices_, options);
      const std::lock_guard lock(mutex);
      ready[i] = std::move(prepared);
      for (; emitted < ready.size() && ready[emitted]; ++emitted) {
        emit(variants_[emitted], std::move(ready[emitted]->values));
        states_[variants_[emitted].label()] = std::move(*ready[emitted]);
      }
    });
  }

  std::optional<Error> run_shape(int shape) {
    std::optional<ShapeData> data;
    if (makes_operands(experiment_, options_)) {
      Expected<ShapeData> made = make_shape(experiment_, shape, options_.grade);
      if (!made) return made.error();
      data = std::move(*made);
    }
    std::optional<SimulatedOperands> simulated;
    if (wants_model(experiment_, options_.grade.machine) && can_be_modelled(experiment_, shape)) {
      const Lab lab = plain_lab(experiment_);
      simulated.emplace(data_seed(options_.grade, shape));
      if (auto error = simulated->make(lab, case_of(lab, {}, shape))) return error;
    }
    for (const Variant& variant : variants_) {
      if (!is_timed(variant, shape)) continue;
      step(variant, fmt::format(", n = {}", shape));
      time(variant, shape, data ? &*data : nullptr, simulated ? &*simulated : nullptr);
    }
    for (const Variant& variant : variants_) compare(variant, shape);
    return std::nullopt;
  }

  void time(const Variant& variant, int shape, const ShapeData* data,
            SimulatedOperands* simulated) {
    const GradeOptions& grade = options_.grade;
    const Prepared& state = states_.at(variant.label());
    if (!state.wrong.empty()) return emit(variant, {mistake(state.wrong, shape)});
    if (variant.row->runner == Runner::host)
      return emit(variant, time_on_host(experiment_, variant, shape, data->operands, grade));
    const bool copies = variant.setting("memory").has_value();
    if (simulated != nullptr && state.subject && !copies)
      emit(variant, model_variant(experiment_, variant, *state.subject, shape, *simulated, grade));
    if (grade.machine.gpu) time_on_card(variant, state, *data);
  }

  void time_on_card(const Variant& variant, const Prepared& state, const ShapeData& data) {
    const GradeOptions& grade = options_.grade;
    const bool copies = variant.setting("memory").has_value();
    if (const double expected = expected_ms(variant, data.shape); expected > kMostLaunchMs)
      return emit(variant, {left_out(expected, data.shape)});
    const auto work = gpu_work(variant, state.subject ? &*state.subject : nullptr, data, grade);
    if (const std::string* reason = std::get_if<std::string>(&work))
      return emit(variant, {mistake(*reason, data.shape)});
    if (copies) {
      emit(variant, transfer_variant(experiment_, variant, std::get<GpuWork>(work), data, grade));
    } else if (wants_time(experiment_)) {
      std::vector<Value> values = time_variant(experiment_, std::get<GpuWork>(work),
                                               interleaved_baseline(variant, data), data, grade);
      if (values.front().number) last_[variant.label()] = {data.shape, *values.front().number};
      emit(variant, std::move(values));
    }
  }

  /// The expected time of a launch, from that at the last shape; 0 if there is none.
  double expected_ms(const Variant& variant, int shape) const {
    const auto last = last_.find(variant.label());
    if (last == last_.end()) return 0;
    const auto& [before, milliseconds] = last->second;
    return milliseconds * experiment_.work(shape) / experiment_.work(before);
  }

  Value left_out(double expected, int shape) const {
    Value value = mistake("", shape);
    value.text = "-";
    value.note = fmt::format("left out; a launch would take about {:.1f} s", expected / 1000);
    return value;
  }

  /// The baseline whose samples are taken in turn with the variant's own.
  std::optional<GpuWork> interleaved_baseline(const Variant& variant, const ShapeData& data) const {
    if (!experiment_.ratio.interleaved || variant.row->name == experiment_.ratio.to)
      return std::nullopt;
    const Variant* other = matching_variant(variants_, experiment_.ratio.to, variant.settings);
    if (other == nullptr || !is_timed(*other, data.shape)) return std::nullopt;
    const Prepared& state = states_.at(other->label());
    if (!state.wrong.empty() || other->row->runner == Runner::host) return std::nullopt;
    auto work = gpu_work(*other, state.subject ? &*state.subject : nullptr, data, options_.grade);
    if (!std::holds_alternative<GpuWork>(work)) return std::nullopt;
    return std::get<GpuWork>(std::move(work));
  }

  Value mistake(const std::string& reason, int shape) const {
    Value value;
    value.metric = experiment_.ratio.of;
    value.shape = shape;
    value.text = "wrong";
    value.note = reason;
    value.device = devices_.front().name;
    value.origin = options_.grade.machine.gpu ? Origin::measured : Origin::modelled;
    if (!options_.grade.machine.gpu) value.metric = Metric::modelled_time_ms;
    return value;
  }

  /// Adds ratios of times that were not measured in turn, and what follows from them.
  void compare(const Variant& variant, int shape) {
    if (experiment_.ratio.to.empty() || variant.row->name == experiment_.ratio.to) return;
    const Variant* other = matching_variant(variants_, experiment_.ratio.to, variant.settings);
    const Value* own = time_of(variant, shape);
    const Value* base = other == nullptr ? nullptr : time_of(*other, shape);
    if (own == nullptr || base == nullptr || own->origin != base->origin) return;
    Value ratio = *own;
    ratio.metric = Metric::ratio;
    ratio.number = *base->number / *own->number;
    ratio.low.reset();
    ratio.high.reset();
    if (own->high && base->low) ratio.low = *base->low / *own->high;
    if (own->low && base->high) ratio.high = *base->high / *own->low;
    ratio.note.clear();
    std::vector<Value> values;
    const bool has_ratio = experiment_.ratio.interleaved && own->origin == Origin::measured;
    if (!has_ratio) values.push_back(ratio);
    if (experiment_.measures(Metric::efficiency) && variant.setting("threads")) {
      Value efficiency = ratio;
      efficiency.metric = Metric::efficiency;
      const double threads = threads_of(variant);
      for (auto* number : {&efficiency.number, &efficiency.low, &efficiency.high}) {
        if (*number) **number /= threads;
      }
      values.push_back(std::move(efficiency));
    }
    emit(variant, std::move(values));
  }

  const Value* time_of(const Variant& variant, int shape) const {
    const auto found = times_.find({variant.label(), shape});
    return found == times_.end() || !found->second.number ? nullptr : &found->second;
  }

  const Experiment& experiment_;
  const RunOptions& options_;
  const std::vector<Variant> variants_;
  std::vector<DeviceProfile> devices_;
  std::map<std::string, Prepared> states_;              // by label
  std::map<std::pair<std::string, int>, Value> times_;  // by label and shape
  std::map<std::string, std::pair<int, double>> last_;  // shape and time of a launch, by label
  RunSteps steps_;
};

}  // namespace

bool makes_operands(const Experiment& experiment, const RunOptions& options) {
  return options.grade.machine.gpu ||
         std::ranges::count(experiment.rows, Runner::host, &Row::runner) > 0;
}

std::vector<int> shapes_left_out(const Experiment& experiment, const RunOptions& options) {
  std::vector<int> shapes;
  const bool modelled = std::ranges::any_of(experiment.rows, [](const Row& row) {
    const bool copies =
        std::ranges::count(row.lists, "memory", &decltype(row.lists)::value_type::first) > 0;
    return runs_kernel(row) && !copies;
  });
  if (!modelled || !wants_model(experiment, options.grade.machine)) return shapes;
  std::ranges::copy_if(experiment.shapes, std::back_inserter(shapes),
                       [&](int shape) { return !can_be_modelled(experiment, shape); });
  return shapes;
}

std::optional<Error> run_experiment(const Experiment& experiment, const RunOptions& options) {
  return Run(experiment, options).run();
}

}  // namespace tessera
