#include "grader/report/html/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "common/numbers.h"
#include "grader/report/advice.h"
#include "grader/report/html/figures.h"
#include "grader/report/html/source.h"
#include "grader/report/pictures/choice.h"
#include "grader/report/sums.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxCausesOnPage = 40;

std::string part_of(const Item& item) {
  return item.id.substr(0, item.id.find('/'));
}

std::string capitalized(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z')
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

Html points_cell(MarkupName tag, const std::vector<Attribute>& attributes, double won, double most,
                 bool measured) {
  return element(tag, attributes, measured ? points_text(won) : "\u2013",
                 element("span", {{"class", "of"}}, " of " + points_text(most)));
}

Html part_row(const std::string& part, const std::vector<Item>& items) {
  const Sums sums = sums_of(items);
  const double most = sums.measured + sums.deferred + sums.infra;
  return element("tr", {{"class", "part"}},
                 element("th", {{"scope", "rowgroup"}, {"colspan", "2"}}, capitalized(part)),
                 points_cell("td", {{"class", "points"}}, sums.won, most, sums.measured > 0));
}

/// Whether the cause's finding is one of the item's: of the same kind and in the same line. Those
/// of the comparison have no line.
bool has_cause(const Item& item, const Cause& cause) {
  return cause.title.empty() && std::ranges::any_of(item.findings, [&](const Finding& finding) {
           return finding.kind == cause.finding.kind && finding.line == cause.finding.line;
         });
}

class ItemsTable {
 public:
  ItemsTable(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors)
      : record_(record), causes_(causes), anchors_(anchors) {}

  Html html() {
    const std::optional<Item> all = item_of_all(record_);
    return table(all ? element("tbody", {}, row_of(*all, {{"class", "item"}})) : bodies());
  }

 private:
  static Html row_of(const Item& item, const std::vector<Attribute>& attributes) {
    return element("tr", attributes, element("th", {{"scope", "row"}}, name_text(item_label(item))),
                   element("td", {}, status_word(item.status)),
                   points_cell("td", {{"class", "points"}}, item.points, item.max_points,
                               !not_measured(item)));
  }

  Html bodies() {
    Html bodies;
    const std::vector<Item>& items = record_.items;
    for (std::size_t first = 0; first < items.size();) {
      std::size_t end = first;
      while (end < items.size() && part_of(items[end]) == part_of(items[first])) ++end;
      last_message_ = {};
      const std::vector<Item> part(items.begin() + static_cast<std::ptrdiff_t>(first),
                                   items.begin() + static_cast<std::ptrdiff_t>(end));
      Html rows = part_row(part_of(items[first]), part);
      for (std::size_t i = first; i < end; ++i) rows += item_rows(i);
      bodies += element("tbody", {}, rows);
      first = end;
    }
    return bodies;
  }

  static Html table(const Html& bodies) {
    const Html head =
        element("thead", {},
                element("tr", {}, element("th", {{"scope", "col"}}, "Item"),
                        element("th", {{"scope", "col"}}, "Status"),
                        element("th", {{"scope", "col"}, {"class", "points"}}, "Points")));
    return element("table", {{"class", "items"}},
                   element("caption", {{"class", "heard"}}, "Items with status and points"), head,
                   bodies);
  }

  Html item_rows(std::size_t index) {
    const Item& item = record_.items[index];
    const Html details = details_of(item);
    Html rows = row_of(
        item, {{"id", anchors_.item(index)}, {"class", details.empty() ? "item" : "item open"}});
    if (!details.empty())
      rows += element("tr", {{"class", "details"}}, element("td", {{"colspan", "3"}}, details));
    return rows;
  }

  /// The message, the hint unless a cause below gives it, links to the causes, and the picture.
  Html details_of(const Item& item) {
    Html details;
    // If five items in a row wait for the same thing, or five hidden cases fail, only the first
    // says so.
    const bool again = item.message == last_message_;
    if (!item.message.empty() && !again) details += element("p", {}, message_text(item.message));
    last_message_ = item.message;
    Html links;
    for (std::size_t i = 0; i < std::min(causes_.size(), kMaxCausesOnPage); ++i) {
      if (!has_cause(item, causes_[i])) continue;
      links += links.empty() ? "See: " : ", ";
      links += link_to(anchors_.cause(i), finding_name(causes_[i].finding));
    }
    const std::string remedy = remedy_of(item, record_);
    if (!remedy.empty() && links.empty() && remedies_.insert(remedy).second)
      details +=
          element("p", {{"class", "hint"}}, element("strong", {}, "Try: "), message_text(remedy));
    if (!links.empty()) details += element("p", {}, links);
    details += picture_of(item);
    return details;
  }

  /// The item's picture, unless it stands beside a line of the source.
  Html picture_of(const Item& item) const {
    const LineAccess* access = access_of(item, record_);
    if (access == nullptr) return time_figure(item);
    if (!is_in_source(access->line, record_)) return access_figure(*access);
    return element("p", {}, "See: ",
                   link_to(anchors_.line(access->line),
                           fmt::format("how the lanes lie in line {}", access->line)));
  }

  const Record& record_;
  const std::vector<Cause>& causes_;
  const Anchors& anchors_;
  Text last_message_;
  std::set<std::string> remedies_;  // that are in the table already
};

/// "kernel.cu, line 20", a link if the page has the line.
Html place_of(const Finding& finding, const Record& record, const Anchors& anchors) {
  if (finding.line == 0) return {};
  const std::string text = fmt::format("{}, line {}", finding.file, finding.line);
  return is_in_source(finding, record) ? link_to(anchors.line(finding.line), text) : Html(text);
}

std::string times_of(const Finding& finding) {
  return finding.count > 1 && finding.line > 0 ? grouped(finding.count) + " times" : "";
}

/// "kernel.cu, line 20 - in case 1, also in 6 others - 1,529,856 times"
Html circumstances(const Cause& cause, const Record& record, const Anchors& anchors) {
  Html all = place_of(cause.finding, record, anchors);
  for (const std::string& part : {where_text(cause), times_of(cause.finding)}) {
    if (part.empty()) continue;
    if (!all.empty()) all += " \u00b7 ";
    all += part;
  }
  return all.empty() ? all : element("p", {{"class", "where"}}, all);
}

Html quoted(const Finding& finding, const Record& record) {
  if (!is_in_source(finding, record)) return {};
  const std::string& line = record.source[static_cast<std::size_t>(finding.line) - 1];
  return element("pre", {{"class", "quote"}},
                 element("code", {{"dir", "ltr"}}, code_line(line, finding.column)));
}

/// `map` is nullptr if none is to be drawn.
Html cause_article(const Cause& cause, const std::string& id, const Record& record,
                   const Anchors& anchors, const ResultMap* map) {
  const Finding& finding = cause.finding;
  const std::string severity(to_string(finding.severity));
  const std::string kind(to_string(finding.kind));
  Html article = element("h4", {{"id", id}},
                         finding.severity == Severity::error ? kind : severity + ": " + kind);
  article += circumstances(cause, record, anchors);
  article += element("p", {}, message_text(finding.message));
  article += quoted(finding, record);
  if (!finding.hint.empty()) {
    const Html label = cause.after ? Html() : element("strong", {}, "Try: ");
    article += element("p", {{"class", "hint"}}, label, message_text(finding.hint));
  }
  if (map != nullptr) article += map_figure(*map);
  return element("article", {{"class", "cause " + severity}, {"aria-labelledby", id}}, article);
}

}  // namespace

Html items_table(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors) {
  return ItemsTable(record, causes, anchors).html();
}

Html causes_articles(const Record& record, const std::vector<Cause>& causes,
                     const Anchors& anchors) {
  Html all;
  std::set<const ResultMap*> drawn = {nullptr};
  for (std::size_t i = 0; i < std::min(causes.size(), kMaxCausesOnPage); ++i) {
    if (!causes[i].title.empty()) continue;
    const ResultMap* map = map_of(causes[i], record);
    if (!drawn.insert(map).second) map = nullptr;  // another cause shows it
    all += cause_article(causes[i], anchors.cause(i), record, anchors, map);
  }
  if (causes.size() > kMaxCausesOnPage) {
    all += element(
        "p", {},
        fmt::format("{} more are left out; repair these first.", causes.size() - kMaxCausesOnPage));
  }
  return all;
}

Html counters_table(const Record& record) {
  std::vector<const Item*> cases;
  std::set<Metric> metrics;
  for (const Item& item : record.items) {
    if (part_of(item) != "correctness" || item.metrics.empty()) continue;
    cases.push_back(&item);
    for (const auto& [metric, unused] : item.metrics) metrics.insert(metric);
  }
  if (cases.empty()) return {};
  Html head = element("th", {{"scope", "col"}}, "Counter");
  for (const Item* item : cases) head += element("th", {{"scope", "col"}}, case_label(*item));
  Html rows;
  for (const Metric metric : metrics) {
    Html row = element("th", {{"scope", "row"}}, name_text(to_string(metric)));
    for (const Item* item : cases) {
      const auto found = item->metrics.find(metric);
      const bool known = found != item->metrics.end() && std::isfinite(found->second);
      row += element("td", {}, known ? short_number(found->second) : "\u2013");
    }
    rows += element("tr", {}, row);
  }
  return element("table", {{"class", "counters"}},
                 element("caption", {{"class", "heard"}}, "Counters by case"),
                 element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows));
}

}  // namespace tessera
