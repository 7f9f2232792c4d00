#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/text_json.h"
#include "common/utf8.h"
#include "grader/report/advice.h"
#include "grader/report/points.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

/// null if the value is NaN or infinite, which JSON does not have.
Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_points(double value) {
  return json_number(rounded_points(value));
}

/// Writes both in English, and under "said" the phrases of the catalogue that make up the English.
void write_texts(Json& json, const Text& message, const Text& hint) {
  Json said;
  for (const auto& [key, text] : {std::pair("message", &message), std::pair("hint", &hint)}) {
    const std::string english = text->str();
    if (*text != Text(english)) said[key] = to_json(*text);
    json[key] = english;
  }
  if (!said.empty()) json["said"] = std::move(said);
}

Json to_json(const Finding& finding) {
  Json json;
  json["kind"] = to_string(finding.kind);
  json["severity"] = to_string(finding.severity);
  json["file"] = finding.file;
  json["line"] = finding.line;
  json["column"] = finding.column;
  write_texts(json, finding.message, finding.hint);
  json["count"] = finding.count;
  json["example"] = Json::object();
  for (const auto& [key, value] : finding.example) json["example"][key] = value;
  return json;
}

Json to_json(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) json.push_back(to_json(finding));
  return json;
}

Json to_json(const Metrics& metrics) {
  Json json = Json::object();
  for (const auto& [metric, value] : metrics) json[to_string(metric)] = json_number(value);
  return json;
}

Json to_json(const AccessShape& shape) {
  Json json;
  json["variable"] = shape.variable;
  json["lanes"] = shape.lanes;
  json["width"] = shape.width;
  json["passes"] = shape.passes;
  json["ideal"] = shape.ideal;
  json["stride"] = shape.stride;
  json["row_bytes"] = shape.row_bytes;
  json["offsets"] = Json::array();
  for (const auto& offset : shape.offsets)
    json["offsets"].push_back(offset ? Json(*offset) : Json(nullptr));
  return json;
}

/// Has the names and units of the metrics: sectors of global memory, wavefronts of shared memory.
Json to_json(const CountedSource& source, const LineAccess& access) {
  const bool global = access.memory == LineAccess::Memory::global;
  Json json;
  json["line"] = access.line;
  json["memory"] = global ? "global" : "shared";
  json["access"] = access.store ? "store" : "load";
  json["requests"] = access.requests;
  json[global ? "sectors" : "wavefronts"] = access.passes;
  json["ideal"] = access.ideal;
  json["worst"] = to_json(access.worst);
  json["advice"] = advice(source, access);
  return json;
}

Json to_json(const CountedSource& source) {
  Json json = Json::array();
  for (const LineAccess& access : source.accesses) json.push_back(to_json(source, access));
  return json;
}

Json to_json(const ResultMap& map) {
  Json json;
  json["output"] = map.output;
  json["rows"] = map.rows;
  json["columns"] = map.columns;
  json["tile"] = {{"rows", map.tile_rows}, {"columns", map.tile_columns}};
  json["cell"] = {{"rows", map.cell_rows}, {"columns", map.cell_columns}};
  json["cells"] = map.cells;
  if (!map.amounts.empty()) json["amounts"] = map.amounts;
  return json;
}

/// A value that is not known has no key.
Json to_json(const Goal& goal) {
  Json json;
  json["metric"] = to_string(goal.metric);
  if (!goal.over.empty()) json["over"] = goal.over;
  if (!goal.device.empty()) json["device"] = goal.device;
  const std::pair<const char*, const std::optional<double>&> numbers[] = {
      {"value", goal.value},       {"zero", goal.zero},       {"full", goal.full},
      {"at_least", goal.at_least}, {"at_most", goal.at_most}, {"naive", goal.naive},
      {"good", goal.good}};
  for (const auto& [key, value] : numbers) {
    if (value) json[key] = json_number(*value);
  }
  if (goal.roof) {
    json["roof"] = {{"compute_ms", json_number(goal.roof->compute_ms)},
                    {"memory_ms", json_number(goal.roof->memory_ms)}};
  }
  return json;
}

Json to_json(const Item& item) {
  Json json;
  json["id"] = item.id;
  json["title"] = item.title;
  if (item.hidden) json["hidden"] = true;
  json["status"] = to_string(item.status);
  json["points"] = json_points(item.points);
  json["max_points"] = json_points(item.max_points);
  write_texts(json, item.message, item.hint);
  json["findings"] = to_json(item.findings);
  json["metrics"] = to_json(item.metrics);
  if (item.map) json["map"] = to_json(*item.map);
  if (item.goal) json["goal"] = to_json(*item.goal);
  return json;
}

Json to_json(const Record& record) {
  Json json;
  json["schema"] = "tessera.result/2";
  json["lab"] = record.lab;
  json["title"] = record.title;
  json["submission"] = {{"path", record.path}, {"sha256", record.sha256}};
  json["score"] = json_points(record.score);
  json["max_score"] = json_points(record.max_score);
  json["deferred"] = json_points(record.deferred);
  json["seed"] = record.seed;
  json["backend"] = record.backend;
  json["compiler"] = record.compiler;
  json["device"] = record.device;
  json["isolation"] = record.isolation;
  json["untouched"] = record.untouched;
  json["items"] = Json::array();
  for (const Item& item : record.items) json["items"].push_back(to_json(item));
  json["lines"] = to_json(counted_source(record));
  if (!record.source.empty()) json["source"] = record.source;
  return json;
}

/// The text of `json`. Strings from a submission may be broken UTF-8.
std::string written(const Json& json) {
  return visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string json_report(const std::vector<Record>& records) {
  if (records.size() == 1) return written(to_json(records.front()));
  Json list = Json::array();
  for (const Record& record : records) list.push_back(to_json(record));
  return written(list);
}

std::string json_report(const CheckReport& report) {
  Json json;
  json["findings"] = to_json(report.findings);
  json["metrics"] = to_json(report.metrics);
  json["lines"] = to_json(counted_source(report.source, report.lines));
  json["seconds"] = {{"compile", json_number(report.compile_seconds)},
                     {"run", json_number(report.run_seconds)}};
  return written(json);
}

}  // namespace tessera
