#include "grader/authoring/calibration/calibration.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "common/json_node.h"

namespace tessera {
namespace {

using Json = JsonNode::Json;

constexpr std::string_view kSchema = "tessera.calibration/1";

Json run_json(const CalibrationRun& run) {
  Json json = {{"compiler", run.compiler}, {"seed", run.seed}};
  if (run.failed()) {
    json["failure"] = run.failure;
    json["hint"] = run.hint;
    return json;
  }
  json["median"] = run.value.median;
  json["low"] = run.value.low;
  json["high"] = run.value.high;
  json["time_ms"] = run.value.time_ms;
  json["baseline_ms"] = run.value.baseline_ms;
  json["clock_mhz"] = run.value.clock_mhz;
  json["pairs"] = run.value.pairs;
  return json;
}

Json measurement_json(const CalibrationMeasurement& measurement) {
  Json json = {{"lab", measurement.lab},
               {"metric", to_string(measurement.metric)},
               {"over", measurement.over},
               {"device", measurement.device},
               {"driver", measurement.driver},
               {"shape", measurement.shape},
               {"reference_sha256", measurement.reference_sha256},
               {"baseline_sha256", measurement.baseline_sha256},
               {"runs", Json::array()}};
  if (!measurement.kernel.empty()) {
    json["kernel"] = measurement.kernel;
    json["kernel_sha256"] = measurement.kernel_sha256;
  }
  for (const CalibrationRun& run : measurement.runs) json["runs"].push_back(run_json(run));
  return json;
}

/// Reads a time, a ratio or a rate, which must be above 0.
double positive(const JsonNode& node, const char* key) {
  const double value = node[key].number();
  if (!(value > 0) || !std::isfinite(value))
    node.fail(fmt::format("{} is {:g}; expected a number above 0", key, value));
  return value;
}

CalibrationRun run_from(const JsonNode& node) {
  CalibrationRun run;
  run.compiler = node["compiler"].text();
  run.seed = node["seed"].whole<std::uint64_t>();
  if (node.has("failure")) {
    run.failure = node["failure"].text();
    run.hint = node["hint"].text();
    return run;
  }
  run.value.median = positive(node, "median");
  run.value.low = positive(node, "low");
  run.value.high = positive(node, "high");
  run.value.time_ms = positive(node, "time_ms");
  run.value.baseline_ms = node["baseline_ms"].number();
  run.value.clock_mhz = node["clock_mhz"].number();
  run.value.pairs = node["pairs"].whole<std::size_t>();
  if (run.value.low > run.value.median || run.value.median > run.value.high)
    node.fail(fmt::format("the median {:g} is outside its interval, {:g} to {:g}", run.value.median,
                          run.value.low, run.value.high));
  return run;
}

CalibrationMeasurement measurement_from(const JsonNode& node) {
  CalibrationMeasurement measurement;
  measurement.lab = node["lab"].text();
  measurement.metric = node["metric"].word(metrics_asked_by(kThreshold));
  measurement.over = node["over"].text();
  measurement.device = node["device"].text();
  measurement.driver = node["driver"].text();
  measurement.shape = node["shape"].text();
  measurement.reference_sha256 = node["reference_sha256"].text();
  measurement.baseline_sha256 = node["baseline_sha256"].text();
  if (node.has("kernel")) {
    measurement.kernel = node["kernel"].text();
    measurement.kernel_sha256 = node["kernel_sha256"].text();
  }
  measurement.runs = node["runs"].list(run_from);
  if (measurement.runs.empty()) node.fail("runs is empty; expected a run or more");
  return measurement;
}

}  // namespace

std::string shape_title(const Lab& lab) {
  Case shape;
  shape.extents = lab.performance_shape;
  shape.parameters = lab.performance_parameters;
  shape.data_name = lab.element_word();
  return lab.case_title(shape);
}

std::string calibration_json(const std::vector<CalibrationMeasurement>& measurements) {
  Json json = {{"schema", kSchema}, {"measurements", Json::array()}};
  for (const CalibrationMeasurement& measurement : measurements)
    json["measurements"].push_back(measurement_json(measurement));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<std::vector<CalibrationMeasurement>> read_calibration(std::string_view text) {
  std::optional<Error> error;
  try {
    const Json document = Json::parse(text);
    const JsonNode root(document, "", error);
    const std::string schema = root["schema"].text();
    if (schema != kSchema)
      root.fail(fmt::format("schema is '{}'; expected {}, as `tessera lab calibrate --json` writes",
                            schema, kSchema));
    auto measurements = root["measurements"].list(measurement_from);
    if (error) return *error;
    return measurements;
  } catch (const Json::exception&) {
    return Error{.message = "is not JSON as `tessera lab calibrate --json` writes it"};
  }
}

}  // namespace tessera
