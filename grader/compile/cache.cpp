#include "grader/compile/cache.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/content_cache.h"
#include "common/text.h"

namespace tessera {
namespace {

using nlohmann::json;

/// Rises whenever options or the form of an entry change.
constexpr int kCacheVersion = 5;

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

json to_json(const Finding& finding) {
  return {{"severity", to_string(finding.severity)},
          {"file", finding.file},
          {"line", finding.line},
          {"column", finding.column},
          {"message", finding.message.str()},
          {"hint", finding.hint.str()}};
}

/// Only warnings are kept: a result with errors is not stored.
Finding warning_from(const json& entry) {
  return {.kind = FindingKind::compiler_warning,
          .severity = Severity::warning,
          .file = entry.at("file"),
          .line = entry.at("line"),
          .column = entry.at("column"),
          .message = entry.at("message").get<std::string>(),
          .hint = entry.at("hint").get<std::string>(),
          .example = {}};
}

}  // namespace

std::string cache_key(const CompileRequest& request, const std::string& compiler_identity) {
  std::vector<std::string> parts = {std::to_string(kCacheVersion), request.source,
                                    request.file_name};
  for (const std::string& define : request.defines) parts.push_back("define " + define);
  parts.insert(parts.end(), {request.epilogue, request.epilogue_hint, request.include_dir.string(),
                             compiler_identity, std::to_string(request.compute_capability),
                             request.cubin ? "with cubin" : ""});
  add_headers(parts, request.include_dir);
  return entry_key(parts);
}

std::optional<CompileResult> load_cached(const std::filesystem::path& cache_dir,
                                         const std::string& key) {
  const std::optional<std::string> payload = load_entry(cache_dir, key);
  if (!payload) return std::nullopt;
  const json entry = json::from_cbor(*payload, true, false);
  if (!entry.is_object()) return std::nullopt;
  CompileResult result;
  result.ok = true;
  result.cached = true;
  result.ptx = entry.at("ptx");
  const auto& cubin = entry.at("cubin").get_binary();
  result.cubin.assign(cubin.begin(), cubin.end());
  result.compiler = entry.at("compiler");
  for (const json& finding : entry.at("warnings")) {
    result.findings.push_back(warning_from(finding));
  }
  return result;
}

void store_cached(const std::filesystem::path& cache_dir, const std::string& key,
                  const CompileResult& result) {
  json warnings = json::array();
  for (const Finding& finding : result.findings) warnings.push_back(to_json(finding));
  const json entry = {
      {"ptx", result.ptx},
      {"cubin", json::binary({result.cubin.begin(), result.cubin.end()})},
      {"compiler", result.compiler},
      {"warnings", warnings},
  };
  const std::vector<std::uint8_t> payload = json::to_cbor(entry);
  store_entry(cache_dir, key, std::string(payload.begin(), payload.end()));
}

}  // namespace tessera
