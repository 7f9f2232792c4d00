#include "grader/experiment/results_json.h"

#include <nlohmann/json.hpp>

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Value& value) {
  Json json;
  json["row"] = value.row;
  json["settings"] = Json::object();
  for (const auto& [name, text] : value.settings) json["settings"][name] = text;
  json["shape"] = value.shape == 0 ? Json(nullptr) : Json(value.shape);
  json["metric"] = to_string(value.metric);
  json["value"] = number(value.number);
  json["low"] = number(value.low);
  json["high"] = number(value.high);
  json["origin"] = to_string(value.origin);
  json["device"] = value.device;
  if (!value.text.empty()) json["text"] = value.text;
  if (!value.note.empty()) json["note"] = value.note;
  return json;
}

}  // namespace

std::string results_json(const std::vector<Results>& runs) {
  Json all = Json::array();
  for (const Results& run : runs) {
    Json json;
    json["schema"] = "tessera.bench/1";
    json["experiment"] = run.info.experiment;
    json["date"] = run.info.date;
    json["seed"] = run.info.seed;
    json["driver"] = run.info.driver;
    json["compiler"] = run.info.compiler;
    json["figures"] = Json::array();
    for (const Value& value : run.values) json["figures"].push_back(to_json(value));
    all.push_back(std::move(json));
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
