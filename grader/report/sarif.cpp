#include "grader/report/sarif.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/sha256.h"
#include "common/text.h"
#include "common/utf8.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t npos = std::string_view::npos;

Json text_json(const Text& text) {
  return {{"text", text.str()}};
}

Json rules() {
  Json rules = Json::array();
  for (const FindingKind kind : kAllFindingKinds) {
    const FindingFacts& facts = about(kind);
    rules.push_back({{"id", facts.word},
                     {"shortDescription", text_json(facts.meaning)},
                     {"fullDescription", text_json(facts.meaning)},
                     {"help", text_json(facts.meaning)}});
  }
  return rules;
}

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      break;
  }
  return "note";
}

/// Whether the finding is in the checked file, and not in a header.
bool is_here(const Finding& finding, const CheckReport& report) {
  return finding.file.empty() || std::filesystem::path(report.path).filename() == finding.file;
}

/// The URI of the finding's file: of the checked file, its path as it was given.
std::string uri_of(const Finding& finding, const CheckReport& report) {
  const std::string& whole = is_here(finding, report) ? report.path : finding.file;
  std::string uri;
  for (const char c : whole) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

/// The text of the finding's line without blanks around it; "" if it is not in the file.
std::string line_text(const Finding& finding, const CheckReport& report) {
  const auto number = static_cast<std::size_t>(finding.line);
  if (!is_here(finding, report) || number < 1 || number > report.source.size()) return "";
  return std::string(trimmed(report.source[number - 1]));
}

/// A text without what could be a placeholder or an embedded link (SARIF 2.1.0, 3.11.5 and 3.11.6),
/// and without characters that a viewer does not show.
std::string message_text(std::string_view text) {
  const bool may_link = text.find("](") != text.npos;
  bool has_place = false;  // {0}
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    has_place |= text[i] == '{' && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
  std::string result;
  for_each_character(text, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    if (c && is_invisible(c->value) && c->value != '\n' && c->value != '\t') {
      result += "?";
    } else {
      if (has_place && (bytes == "{" || bytes == "}")) result += bytes;  // doubled
      if (may_link && (bytes == "[" || bytes == "]" || bytes == "\\")) result += '\\';
      result += bytes;
    }
  });
  return result;
}

Json result_of(const Finding& finding, const CheckReport& report) {
  Json result = {{"ruleId", to_string(finding.kind)}, {"level", level_of(finding.severity)}};
  std::string text = finding.message.str();
  if (const std::string hint = finding.hint.str(); !hint.empty()) text += "\n" + hint;
  result["message"] = {{"text", message_text(text)}};
  Json place = {{"artifactLocation", {{"uri", uri_of(finding, report)}}}};
  if (finding.line > 0) {
    place["region"] = {{"startLine", finding.line}};
    if (finding.column > 0) place["region"]["startColumn"] = finding.column;
  }
  result["locations"] = {{{"physicalLocation", place}}};
  const std::string identity =
      std::string(to_string(finding.kind)) + "\n" + line_text(finding, report);
  result["partialFingerprints"] = {{"kindAndLine/v1", sha256(identity)}};
  Json properties = {{"kernel", report.kernel}, {"count", finding.count}};
  for (const auto& [key, value] : finding.example) properties[key] = value;
  result["properties"] = std::move(properties);
  return result;
}

}  // namespace

std::string sarif_report(const CheckReport& report, std::string_view version) {
  Json results = Json::array();
  for (const Finding& finding : report.findings) results.push_back(result_of(finding, report));
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "Tessera"}, {"version", version}, {"rules", rules()}}}}},
         {"columnKind", "unicodeCodePoints"},
         {"results", results}}}}};
  return visible_json(log.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tessera
