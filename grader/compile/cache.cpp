#include "grader/compile/cache.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

using nlohmann::json;

/// Rises whenever options or the form of an entry change.
constexpr int kCacheVersion = 4;

/// Length first, so that two different lists of parts never give the same text.
void add_part(std::string& all, std::string_view part) {
  all += std::to_string(part.size());
  all += ':';
  all += part;
}

void add_headers(std::string& all, const std::filesystem::path& include_dir) {
  std::error_code error;
  std::vector<std::filesystem::path> headers;
  for (std::filesystem::recursive_directory_iterator at(include_dir / "tessera", error), end;
       !error && at != end; at.increment(error)) {
    if (at->is_regular_file(error)) headers.push_back(at->path());
  }
  std::sort(headers.begin(), headers.end());
  for (const auto& header : headers) {
    add_part(all, header.lexically_relative(include_dir).string());
    const auto text = read_file(header);
    add_part(all, text ? *text : "");
  }
}

json to_json(const Finding& finding) {
  return {{"severity", to_string(finding.severity)},
          {"file", finding.file},
          {"line", finding.line},
          {"column", finding.column},
          {"message", finding.message},
          {"hint", finding.hint}};
}

/// Only warnings are kept: a result with errors is not stored.
Finding warning_from(const json& entry) {
  return {.kind = FindingKind::compiler_warning,
          .severity = Severity::warning,
          .file = entry.at("file"),
          .line = entry.at("line"),
          .column = entry.at("column"),
          .message = entry.at("message"),
          .hint = entry.at("hint"),
          .example = {}};
}

}  // namespace

std::string cache_key(const CompileRequest& request, const std::string& compiler_identity) {
  std::string all;
  add_part(all, std::to_string(kCacheVersion));
  add_part(all, request.source);
  add_part(all, request.file_name);
  for (const std::string& define : request.defines) add_part(all, "define " + define);
  add_part(all, request.epilogue);
  add_part(all, request.epilogue_hint);
  add_part(all, request.include_dir.string());
  add_part(all, compiler_identity);
  add_part(all, std::to_string(request.compute_capability));
  add_part(all, request.cubin ? "with cubin" : "");
  add_headers(all, request.include_dir);
  return sha256(all);
}

std::optional<CompileResult> load_cached(const std::filesystem::path& cache_dir,
                                         const std::string& key) {
  const auto content = read_file(cache_dir / key, std::size_t{256} << 20);
  if (!content) return std::nullopt;
  const std::size_t digest = sha256("").size();
  if (content->size() < digest) return std::nullopt;
  const std::string_view payload = std::string_view(*content).substr(digest);
  if (sha256(payload) != content->substr(0, digest)) return std::nullopt;
  const json entry = json::from_cbor(payload, true, false);
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
  std::error_code error;
  std::filesystem::create_directories(cache_dir, error);
  if (error) return;
  json warnings = json::array();
  for (const Finding& finding : result.findings) warnings.push_back(to_json(finding));
  const json entry = {
      {"ptx", result.ptx},
      {"cubin", json::binary({result.cubin.begin(), result.cubin.end()})},
      {"compiler", result.compiler},
      {"warnings", warnings},
  };
  const std::vector<std::uint8_t> payload = json::to_cbor(entry);
  const std::string text(payload.begin(), payload.end());
  // A failure to write leaves no entry, and the next compilation is simply not saved.
  static_cast<void>(write_file(cache_dir / key, sha256(text) + text));
}

}  // namespace tessera
