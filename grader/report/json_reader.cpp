#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/json_node.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

using Json = JsonNode::Json;
using Node = JsonNode;

constexpr std::string_view kSchema = "tessera.result/1";
constexpr int kMaxDepth = 16;    // a record has 8 levels
constexpr int kMaxKeys = 1'000;  // of one object: the library seeks through them one by one

Status status_from(const Node& node) {
  using enum Status;
  return node.word(std::array{pass, partial, fail, error, timeout, skipped, deferred, infra});
}

Finding finding_from(const Node& node) {
  Finding finding;
  finding.kind = node["kind"].word(all_finding_kinds());
  finding.severity =
      node["severity"].word(std::array{Severity::error, Severity::warning, Severity::info});
  finding.file = node["file"].text();
  finding.line = node["line"].whole<int>();
  finding.column = node["column"].whole<int>();
  finding.message = node["message"].text();
  finding.hint = node["hint"].text();
  finding.count = node["count"].whole<std::uint64_t>();
  node["example"].entries([&](const std::string& key, const Node& value) {
    finding.example.emplace_back(key, value.text());
  });
  return finding;
}

Item item_from(const Node& node) {
  Item item;
  item.id = node["id"].text();
  item.title = node["title"].text();
  item.status = status_from(node["status"]);
  item.points = node["points"].number();
  item.max_points = node["max_points"].number();
  item.message = node["message"].text();
  item.hint = node["hint"].text();
  item.findings = node["findings"].list(finding_from);
  node["metrics"].entries(
      [&](const std::string& name, const Node& value) { item.metrics[name] = value.metric(); });
  return item;
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
  if (node["schema"].text() != kSchema) node.fail(fmt::format("schema is not {}", kSchema));
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
  return record;
}

}  // namespace

Expected<Record> read_record(std::string_view json) {
  std::optional<Error> error;
  std::array<int, kMaxDepth + 2> keys{};  // by depth, of the object that is being read
  const auto keep = [&](int depth, Json::parse_event_t event, const Json&) {
    const auto level = static_cast<std::size_t>(depth);
    const bool deep = depth > kMaxDepth;
    if (!deep && event == Json::parse_event_t::object_start) keys[level + 1] = 0;
    const bool wide = !deep && event == Json::parse_event_t::key && ++keys[level] > kMaxKeys;
    if (deep || wide) error = Error{"", 0, 0, deep ? "nested too deeply" : "too many keys"};
    return !deep && !wide;
  };
  try {
    const Json document = Json::parse(json, keep);
    Record record = record_from(Node(document, "", error));
    if (!error) return record;
    return *error;
  } catch (const Json::parse_error& broken) {
    return Error{"", 0, 0, fmt::format("not JSON: broken at byte {}", broken.byte)};
  } catch (const Json::out_of_range&) {
    return Error{"", 0, 0, "not a record: a number is too large"};
  }
}

}  // namespace tessera
