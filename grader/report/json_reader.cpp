#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/json_node.h"
#include "common/text_json.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

using Json = JsonNode::Json;
using Node = JsonNode;

constexpr std::string_view kSchema = "tessera.result/2";
constexpr std::string_view kBefore = "tessera.result/1";  // has English only
constexpr int kMaxDepth = 16;                             // a record has 8 levels
constexpr int kMaxKeys = 1'000;  // of an object: the library searches them one by one

std::string text_from(const Node& node) {
  return node.text();
}

Status status_from(const Node& node) {
  return node.word(kAllStatuses);
}

/// The message or the hint (`which`) of a finding or an item.
Text text_of(const Node& node, const char* which) {
  const Text english = node[which].text();
  if (!node.has("said") || !node["said"].has(which)) return english;
  return text_from_json(node["said"][which]).value_or(english);
}

Finding finding_from(const Node& node) {
  Finding finding;
  finding.kind = node["kind"].word(kAllFindingKinds);
  finding.severity =
      node["severity"].word(std::array{Severity::error, Severity::warning, Severity::info});
  finding.file = node["file"].text();
  finding.line = node["line"].whole<int>();
  finding.column = node["column"].whole<int>();
  finding.message = text_of(node, "message");
  finding.hint = text_of(node, "hint");
  finding.count = node["count"].whole<std::uint64_t>();
  node["example"].entries([&](const std::string& key, const Node& value) {
    finding.example.emplace_back(key, value.text());
  });
  return finding;
}

/// Refuses a map whose cells do not match its extents, on which whatever draws it relies.
void check_cells(const Node& node, const ResultMap& map) {
  if (map.rows < 1 || map.columns < 1) return node.fail(node.path() + " has no elements");
  if (map.cell_rows < 1 || map.cell_columns < 1)
    return node.fail(node.path() + ".cell has no elements");
  const auto down = static_cast<std::size_t>((map.rows - 1) / map.cell_rows + 1);
  const auto across = static_cast<std::size_t>((map.columns - 1) / map.cell_columns + 1);
  const auto check = [&](const char* key, const std::vector<std::string>& lines, auto allowed,
                         const char* what) {
    const bool whole = lines.size() == down && std::ranges::all_of(lines, [&](const auto& line) {
                         return line.size() == across && std::ranges::all_of(line, allowed);
                       });
    if (!whole)
      node.fail(fmt::format("{}.{} is not {} rows of {} {}", node.path(), key, down, across, what));
  };
  check(
      "cells", map.cells, [](char letter) { return element_state(letter).has_value(); }, "states");
  if (map.amounts.empty()) return;
  check(
      "amounts", map.amounts, [](char digit) { return digit >= '0' && digit <= '9'; }, "digits");
}

ResultMap map_from(const Node& node) {
  ResultMap map;
  map.output = node["output"].text();
  map.rows = node["rows"].whole<int>();
  map.columns = node["columns"].whole<int>();
  map.tile_rows = node["tile"]["rows"].whole<int>();
  map.tile_columns = node["tile"]["columns"].whole<int>();
  map.cell_rows = node["cell"]["rows"].whole<int>();
  map.cell_columns = node["cell"]["columns"].whole<int>();
  map.cells = node["cells"].list(text_from);
  if (node.has("amounts")) map.amounts = node["amounts"].list(text_from);
  check_cells(node, map);
  return map;
}

/// Nothing if the metric is one of another version of the grader that this one lacks.
std::optional<Goal> goal_from(const Node& node) {
  const auto metric = metric_named(node["metric"].text());
  if (!metric) return std::nullopt;
  Goal goal;
  goal.metric = *metric;
  if (node.has("over")) goal.over = node["over"].text();
  if (node.has("device")) goal.device = node["device"].text();
  const std::pair<const char*, std::optional<double>&> numbers[] = {
      {"value", goal.value},       {"zero", goal.zero},       {"full", goal.full},
      {"at_least", goal.at_least}, {"at_most", goal.at_most}, {"naive", goal.naive},
      {"good", goal.good}};
  for (const auto& [key, value] : numbers) {
    if (node.has(key)) value = node[key].metric();
  }
  if (node.has("roof")) {
    const Node roof = node["roof"];
    goal.roof = Roof{roof["compute_ms"].metric(), roof["memory_ms"].metric()};
  }
  return goal;
}

/// A record from before this key existed says it by the title alone.
bool is_hidden(const Node& node, const Item& item) {
  if (node.has("hidden")) return node["hidden"].truth();
  return item.id.starts_with("correctness/") && item.title.starts_with("hidden case ");
}

Item item_from(const Node& node) {
  Item item;
  item.id = node["id"].text();
  item.title = node["title"].text();
  item.hidden = is_hidden(node, item);
  item.status = status_from(node["status"]);
  item.points = node["points"].number();
  item.max_points = node["max_points"].number();
  item.message = text_of(node, "message");
  item.hint = text_of(node, "hint");
  item.findings = node["findings"].list(finding_from);
  node["metrics"].entries([&](const std::string& name, const Node& node) {
    const double value = node.metric();
    if (const auto metric = metric_named(name)) item.metrics[*metric] = value;
  });
  if (node.has("map")) item.map = map_from(node["map"]);
  if (node.has("goal")) item.goal = goal_from(node["goal"]);
  return item;
}

std::optional<std::uint64_t> offset_from(const Node& node) {
  if (node.is_null()) return std::nullopt;
  return node.whole<std::uint64_t>();
}

AccessShape shape_from(const Node& node) {
  AccessShape shape;
  shape.variable = node["variable"].text();
  shape.lanes = node["lanes"].whole<std::uint32_t>();
  shape.width = node["width"].whole<std::uint32_t>();
  shape.passes = node["passes"].whole<std::uint32_t>();
  shape.ideal = node["ideal"].whole<std::uint32_t>();
  shape.stride = node["stride"].whole<std::int64_t>();
  shape.row_bytes = node["row_bytes"].whole<std::uint32_t>();
  if (!node.has("offsets")) return shape;
  shape.offsets = node["offsets"].list(offset_from);
  if (shape.offsets.size() != kWarpLanes && !shape.offsets.empty())
    node.fail(fmt::format("{}.offsets is not a list of {}", node.path(), kWarpLanes));
  return shape;
}

LineAccess line_from(const Node& node) {
  LineAccess access;
  const bool global = node["memory"].is("global", "shared");
  access.line = node["line"].whole<int>();
  access.memory = global ? LineAccess::Memory::global : LineAccess::Memory::shared;
  access.store = node["access"].is("store", "load");
  access.requests = node["requests"].whole<std::uint64_t>();
  access.passes = node[global ? "sectors" : "wavefronts"].whole<std::uint64_t>();
  access.ideal = node["ideal"].whole<std::uint64_t>();
  access.worst = shape_from(node["worst"]);
  return access;
}

Record record_from(const Node& node) {
  Record record;
  if (const std::string schema = node["schema"].text(); schema != kSchema && schema != kBefore)
    node.fail(fmt::format("schema is neither {} nor {}", kSchema, kBefore));
  record.lab = node["lab"].text();
  record.title = node["title"].text();
  record.path = node["submission"]["path"].text();
  record.sha256 = node["submission"]["sha256"].text();
  record.score = node["score"].number();
  record.max_score = node["max_score"].number();
  record.deferred = node["deferred"].number();
  record.seed = node["seed"].whole<std::uint64_t>();
  record.backend = node["backend"].text();
  record.compiler = node["compiler"].text();
  record.device = node["device"].text();
  record.isolation = node["isolation"].text();
  record.untouched = node["untouched"].truth();
  record.items = node["items"].list(item_from);
  record.lines = node["lines"].list(line_from);
  if (node.has("source")) record.source = node["source"].list(text_from);
  return record;
}

}  // namespace

Expected<Record> read_record(std::string_view json) {
  std::optional<Error> error;
  std::array<int, kMaxDepth + 2> keys{};  // of the objects being read, by depth
  const auto keep = [&](int depth, Json::parse_event_t event, const Json&) {
    const auto level = static_cast<std::size_t>(depth);
    const bool deep = depth > kMaxDepth;
    if (!deep && event == Json::parse_event_t::object_start) keys[level + 1] = 0;
    const bool wide = !deep && event == Json::parse_event_t::key && ++keys[level] > kMaxKeys;
    if (deep || wide) error = Error{.message = deep ? "nested too deeply" : "too many keys"};
    return !deep && !wide;
  };
  try {
    const Json document = Json::parse(json, keep);
    Record record = record_from(Node(document, "", error));
    if (!error) return record;
    return *error;
  } catch (const Json::parse_error& broken) {
    return Error{.message = fmt::format("not JSON: broken at byte {}", broken.byte)};
  } catch (const Json::out_of_range&) {
    return Error{.message = "not a record: a number is too large"};
  }
}

}  // namespace tessera
