#include "grader/compile/cache.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/content_cache.h"
#include "common/text.h"
#include "common/text_json.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

/// Increased whenever options or the format of an entry change.
constexpr int kCacheVersion = 8;

void add_headers(std::vector<std::string>& parts, const std::filesystem::path& include_dir) {
  std::error_code error;
  std::vector<std::filesystem::path> headers;
  for (std::filesystem::recursive_directory_iterator at(include_dir / "tessera", error), end;
       !error && at != end; at.increment(error)) {
    if (at->is_regular_file(error)) headers.push_back(at->path());
  }
  std::sort(headers.begin(), headers.end());
  for (const auto& header : headers) {
    parts.push_back(header.lexically_relative(include_dir).string());
    const auto text = read_file(header);
    parts.push_back(text ? *text : "");
  }
}

Json to_json(const Finding& finding) {
  return {{"severity", to_string(finding.severity)},
          {"file", finding.file},
          {"line", finding.line},
          {"column", finding.column},
          {"message", to_json(finding.message)},
          {"hint", to_json(finding.hint)}};
}

/// Nothing if the catalogue has other phrases. Only warnings are stored: a result with errors is
/// not cached.
std::optional<Finding> warning_from(const Json& entry) {
  std::optional<Error> error;
  auto message = text_from_json(JsonNode(entry.at("message"), "message", error));
  auto hint = text_from_json(JsonNode(entry.at("hint"), "hint", error));
  if (!message || !hint) return std::nullopt;
  return Finding{.kind = FindingKind::compiler_warning,
                 .severity = Severity::warning,
                 .file = entry.at("file"),
                 .line = entry.at("line"),
                 .column = entry.at("column"),
                 .message = *std::move(message),
                 .hint = *std::move(hint),
                 .example = {}};
}

}  // namespace

std::string cache_key(const CompileRequest& request, const std::string& compiler_identity) {
  std::vector<std::string> parts = {std::to_string(kCacheVersion), request.source.text(),
                                    request.file_name};
  for (const std::string& define : request.defines) parts.push_back("define " + define);
  parts.insert(parts.end(),
               {request.epilogue, request.epilogue_message.str(),
                request.compiler.include_dir.string(), compiler_identity,
                std::to_string(request.compute_capability), request.cubin ? "with cubin" : ""});
  add_headers(parts, request.compiler.include_dir);
  return entry_key(parts);
}

std::optional<CompileResult> load_cached(const std::filesystem::path& cache_dir,
                                         const std::string& key) {
  const std::optional<std::string> payload = load_entry(cache_dir, key);
  if (!payload) return std::nullopt;
  const Json entry = Json::from_cbor(*payload, true, false);
  if (!entry.is_object()) return std::nullopt;
  CompileResult result;
  result.ok = true;
  result.cached = true;
  result.ptx = entry.at("ptx");
  const auto& cubin = entry.at("cubin").get_binary();
  result.cubin.assign(cubin.begin(), cubin.end());
  result.compiler = entry.at("compiler");
  for (const Json& finding : entry.at("warnings")) {
    auto warning = warning_from(finding);
    if (!warning) return std::nullopt;
    result.findings.push_back(*std::move(warning));
  }
  return result;
}

void store_cached(const std::filesystem::path& cache_dir, const std::string& key,
                  const CompileResult& result) {
  Json warnings = Json::array();
  for (const Finding& finding : result.findings) warnings.push_back(to_json(finding));
  const Json entry = {
      {"ptx", result.ptx},
      {"cubin", Json::binary({result.cubin.begin(), result.cubin.end()})},
      {"compiler", result.compiler},
      {"warnings", warnings},
  };
  const std::vector<std::uint8_t> payload = Json::to_cbor(entry);
  store_entry(cache_dir, key, std::string(payload.begin(), payload.end()));
}

}  // namespace tessera
