// XML is written by hand: a library escapes markup but leaves the characters that XML 1.0 forbids.
#include "grader/report/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/utf8.h"
#include "grader/report/causes.h"
#include "grader/report/item_text.h"
#include "grader/report/points.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

/// Whether XML 1.0 forbids a character that printable() leaves, even escaped.
bool is_forbidden(char32_t c) {
  return c == 0xfffe || c == 0xffff;
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for_each_character(printable(text), [&](std::optional<Utf8Character> c, std::string_view bytes) {
    if (!c || is_forbidden(c->value)) {
      result += '?';
    } else if (c->value == '&') {
      result += "&amp;";
    } else if (c->value == '<') {
      result += "&lt;";
    } else if (c->value == '>') {
      result += "&gt;";
    } else if (c->value == '"') {
      result += "&quot;";
    } else {
      result += bytes;
    }
  });
  return result;
}

/// ` name="value"`. A parser turns a line feed in an attribute into a space unless it is written
/// as a reference.
std::string attribute(std::string_view name, std::string_view value) {
  std::string text = xml_escaped(value);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, "&#10;");
  return fmt::format(" {}=\"{}\"", name, text);
}

std::string seconds(double value) {
  return fmt::format("{:.3f}", value);
}

std::string points_value(double value) {
  return fmt::format("{:.10g}", rounded_points(value));
}

/// The element inside the item's testcase; "" for an item that passed.
std::string_view outcome_of(const Item& item) {
  switch (item.status) {
    case Status::pass:
      return "";
    case Status::partial:
    case Status::fail:
      return "failure";
    case Status::error:
    case Status::timeout:
    case Status::review:
    case Status::infra:
      return "error";
    case Status::skipped:
    case Status::deferred:
      return "skipped";
  }
  return "error";
}

/// "race", "wrong-result"; the status if no finding is an error.
std::string_view type_of(const Item& item) {
  const auto finding = std::ranges::find(item.findings, Severity::error, &Finding::severity);
  return finding == item.findings.end() || item.status == Status::partial
             ? to_string(item.status)
             : to_string(finding->kind);
}

std::string message_of(const Item& item) {
  std::string message(to_string(item.status));
  if (item.status == Status::partial)
    message +=
        fmt::format(", {} of {} points", points_value(item.points), points_value(item.max_points));
  return item.message.empty() ? message : message + ": " + item.message.str();
}

std::string testcase(const Item& item, const Record& record) {
  const std::string head = "    <testcase" + attribute("classname", record.lab) +
                           attribute("name", item_name(item)) +
                           attribute("time", seconds(item.seconds));
  const std::string_view outcome = outcome_of(item);
  if (outcome.empty()) return head + "/>\n";
  // Surefire's schema allows no type for a skipped test.
  const std::string type = outcome == "skipped" ? "" : attribute("type", type_of(item));
  return fmt::format("{}>\n      <{}{}{}>{}</{}>\n    </testcase>\n", head, outcome,
                     attribute("message", message_of(item)), type,
                     xml_escaped(item_text(item, record)), outcome);
}

std::string property(const std::string& name, const std::string& value) {
  return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties(const Record& record) {
  std::string text = property("title", record.title) + property("submission", record.path) +
                     property("sha256", record.sha256) + property("device", record.device) +
                     property("compiler", record.compiler) +
                     property("seed", std::to_string(record.seed)) +
                     property("score", points_value(record.score)) +
                     property("max_score", points_value(record.max_score)) +
                     property("deferred", points_value(record.deferred));
  for (const Item& item : record.items) {
    text += property("points." + item.id, points_value(item.points)) +
            property("max_points." + item.id, points_value(item.max_points));
  }
  return "    <properties>\n" + text + "    </properties>\n";
}

struct Counts {
  std::ptrdiff_t tests = 0;
  std::ptrdiff_t failures = 0;
  std::ptrdiff_t errors = 0;
  std::ptrdiff_t skipped = 0;
  double seconds = 0;
};

Counts counts_of(const std::vector<Record>& records) {
  Counts counts;
  for (const Record& record : records) {
    const auto with = [&](std::string_view outcome) {
      return std::ranges::count(record.items, outcome, outcome_of);
    };
    counts.tests += std::ssize(record.items);
    counts.failures += with("failure");
    counts.errors += with("error");
    counts.skipped += with("skipped");
    counts.seconds += record.seconds;
  }
  return counts;
}

std::string testsuite(const Record& record) {
  const Counts counts = counts_of({record});
  std::string text =
      fmt::format("  <testsuite{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n",
                  attribute("name", record.lab), counts.tests, counts.failures, counts.errors,
                  counts.skipped, attribute("time", seconds(counts.seconds)));
  text += properties(record);
  for (const Item& item : record.items) text += testcase(item, record);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string junit_report(const std::vector<Record>& records) {
  const Counts counts = counts_of(records);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuites name=\"tessera\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}>\n", counts.tests,
      counts.failures, counts.errors, attribute("time", seconds(counts.seconds)));
  for (const Record& record : records) text += testsuite(record);
  return text + "</testsuites>\n";
}

}  // namespace tessera
