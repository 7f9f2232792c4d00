#include "grader/experiment/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/text.h"
#include "grader/experiment/number_text.h"

namespace tessera {
namespace {

constexpr std::array kColumns = {"experiment", "row",  "settings", "shape",  "metric",
                                 "value",      "low",  "high",     "origin", "device",
                                 "note",       "date", "seed",     "driver", "compiler"};

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// `text` as a field: quoted if it has a comma or a quote, with spaces for line ends.
std::string field(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_text(const std::optional<double>& number) {
  return number ? fmt::format("{:.9g}", *number) : "";
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

Settings settings_in(const std::string& text) {
  Settings settings;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string setting = text.substr(at, end - at);
    const std::size_t equals = std::min(setting.find('='), setting.size());
    settings.emplace_back(setting.substr(0, equals),
                          equals < setting.size() ? setting.substr(equals + 1) : "");
    at = end + 1;
  }
  return settings;
}

Expected<Value> value_in(const std::vector<std::string>& fields, const Error& place) {
  const auto wrong = [&](const char* what, const std::string& text) {
    Error error = place;
    error.message = fmt::format("'{}' is no {}; was the file edited?", text, what);
    return error;
  };
  Value value;
  value.row = fields[1];
  value.settings = settings_in(fields[2]);
  const auto shape = whole_in(fields[3]);
  if (!fields[3].empty() && (!shape || *shape < 1)) return wrong("shape", fields[3]);
  value.shape = shape.value_or(0);
  const auto metric = metric_named(fields[4]);
  if (!metric || (about(*metric).asked_by & kExperiment) == 0) return wrong("metric", fields[4]);
  value.metric = *metric;
  value.number = number_in(fields[5]);
  if (!value.number) value.text = fields[5];
  for (const std::size_t i : {6, 7}) {
    if (!fields[i].empty() && !number_in(fields[i])) return wrong("end of an interval", fields[i]);
  }
  value.low = number_in(fields[6]);
  value.high = number_in(fields[7]);
  const auto origin = std::ranges::find_if(
      kAllOrigins, [&](Origin known) { return to_string(known) == fields[8]; });
  if (origin == kAllOrigins.end()) return wrong("origin of a value", fields[8]);
  value.origin = *origin;
  value.device = fields[9];
  value.note = fields[10];
  return value;
}

}  // namespace

std::string csv_heading() {
  std::string line;
  for (const char* column : kColumns) line += (line.empty() ? "" : ",") + std::string(column);
  return line + "\n";
}

std::string csv_line(const RunInfo& info, const Value& value) {
  const std::string fields[] = {info.experiment,
                                value.row,
                                to_string(value.settings),
                                value.shape == 0 ? "" : std::to_string(value.shape),
                                std::string(to_string(value.metric)),
                                value.number ? number_text(value.number) : value.text,
                                number_text(value.low),
                                number_text(value.high),
                                std::string(to_string(value.origin)),
                                value.device,
                                value.note,
                                info.date,
                                std::to_string(info.seed),
                                info.driver,
                                info.compiler};
  std::string line;
  for (const std::string& text : fields) line += (line.empty() ? "" : ",") + field(text);
  return line + "\n";
}

std::string csv_text(const Results& results) {
  std::string text = csv_heading();
  for (const Value& value : results.values) text += csv_line(results.info, value);
  return text;
}

Expected<Results> read_results(std::string_view text, const std::string& file) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::vector<std::string> lines = split_lines(text);
  if (text.empty())
    return Error{.file = file,
                 .message = "is empty; expected the results.csv of a `tessera bench`"};
  if (lines.front() + "\n" != csv_heading()) {
    return Error{.file = file,
                 .line = 1,
                 .message = fmt::format(
                     "is not the heading of a results.csv of `tessera bench`, which begins "
                     "'{}', with commas",
                     csv_heading().substr(0, 30))};
  }
  Results results;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const Error place{file, static_cast<int>(i) + 1, 0, ""};
    const std::vector<std::string> fields = fields_of(lines[i]);
    if (fields.size() != kColumns.size()) {
      // A run that was killed may leave half a line at the end.
      results.cut_off = i + 1 == lines.size() && !text.ends_with("\n");
      if (results.cut_off) break;
      Error error = place;
      error.message = fmt::format("has {} columns, expected {}", fields.size(), kColumns.size());
      return error;
    }
    if (!results.values.empty() && fields[0] != results.info.experiment) {
      Error error = place;
      error.message = fmt::format("holds values of '{}', and above of '{}'; give one at a time",
                                  fields[0], results.info.experiment);
      return error;
    }
    Expected<Value> value = value_in(fields, place);
    if (!value) return value.error();
    results.info = {fields[0], fields[11], seed_in(fields[12]).value_or(0), fields[13], fields[14]};
    results.values.push_back(std::move(*value));
  }
  return results;
}

}  // namespace tessera
