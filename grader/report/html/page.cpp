#include "grader/report/html/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/causes.h"
#include "grader/report/html/items.h"
#include "grader/report/html/markup.h"
#include "grader/report/html/source.h"
#include "grader/report/html/style.h"
#include "grader/report/html/words.h"
#include "grader/report/next_steps.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"

namespace tessera {
namespace {

/// Even markup that slipped through could neither load nor run anything.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string number_of(const std::string& lab) {
  return lab.substr(0, lab.find('-'));
}

/// "75 of 80 points"
std::string score_text(const Sums& sums) {
  return fmt::format("{} of {}", points_text(sums.won), counted_points(sums.measured));
}

/// A paragraph each for points that are not judged yet and those neither won nor lost, and why.
Html unmeasured(const Record& record, const Sums& sums) {
  Html all;
  if (sums.review > 0) {
    all += element("p", {}, element("strong", {}, counted_points(sums.review) + " to review"),
                   ": the simulator cannot judge this kernel, and they count as not won until a "
                   "GPU or a person has judged it.");
  }
  if (sums.deferred > 0) {
    const std::string why = reasons(record, Status::deferred);
    all += element("p", {}, element("strong", {}, counted_points(sums.deferred) + " deferred"),
                   ", neither won nor lost here", why.empty() ? "." : ": ", message_text(why));
  }
  if (sums.infra > 0) {
    const std::string why = reasons(record, Status::infra);
    all += element("p", {}, element("strong", {}, counted_points(sums.infra) + " not graded"),
                   ": the grader failed, which is not your fault and costs nothing",
                   why.empty() ? "." : ". ", message_text(why));
  }
  return all;
}

/// A bar of the parts of all points that are won and that were not measured; the numbers stand
/// beside it.
Html score_bar(const Sums& sums) {
  const double all = sums.measured + sums.deferred + sums.infra;
  if (all <= 0) return {};
  const auto part = [&](const char* look, double points) {
    const double percent = std::clamp(100 * points / all, 0.0, 100.0);
    if (percent <= 0) return Html();
    return element("span",
                   {{"class", look}, {"style", fmt::format("inline-size:{:.2f}%", percent)}});
  };
  return element("div", {{"class", "bar"}, {"aria-hidden", "true"}}, part("won", sums.won),
                 part("lost", sums.measured - sums.won),
                 part("unmeasured", sums.deferred + sums.infra));
}

Html fact(const char* name, const Html& value) {
  if (value.empty()) return value;
  Html pair = element("dt", {}, name);
  pair += element("dd", {}, value);
  return pair;
}

Html facts(const Record& record) {
  const std::string repeat =
      fmt::format("make grade LAB={} ARGS='--seed {}'", number_of(record.lab), record.seed);
  Html list = fact("File", element("code", {}, record.path));
  if (!record.sha256.empty())
    list += fact("SHA-256", element("code", {}, record.sha256.substr(0, 12)));
  list += fact("Seed", std::to_string(record.seed));
  list += fact("Compiler", record.compiler);
  list += fact("Device", record.device);
  list += fact("The same inputs again", element("code", {}, repeat));
  return element("dl", {{"class", "facts"}}, list);
}

Html step_item(const NextStep& step, const Anchors& anchors, const Record& record) {
  Html links;
  if (step.cause) links += link_to(anchors.cause(*step.cause), "details");
  if (step.line > 0 && static_cast<std::size_t>(step.line) <= record.source.size()) {
    if (!links.empty()) links += ", ";
    links += link_to(anchors.line(step.line), fmt::format("line {}", step.line));
  }
  return element("li", {}, element("strong", {}, name_text(step.goal)), ": ",
                 message_text(step.advice), links.empty() ? Html() : " (", links,
                 links.empty() ? Html() : ")");
}

Html next_part(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors) {
  Html steps;
  for (const NextStep& step : next_steps(record, causes)) steps += step_item(step, anchors, record);
  if (!steps.empty()) return element("ol", {{"class", "steps"}}, steps);
  const Sums sums = sums_of(record.items);
  if (sums.infra > 0)
    return element("p", {},
                   "Nothing for you to do: the grader has to run again. Inform the staff.");
  if (sums.all_won()) return element("p", {}, "Nothing: every point that was measured is won.");
  return element("p", {}, "See the messages of the items below.");
}

Html untouched_part(const Record& record) {
  return element("p", {}, "Nothing written yet: open ",
                 element("code", {}, fmt::format("labs/{}/README.md", record.lab)), ", fill in ",
                 element("code", {}, record.path), ", then run ",
                 element("code", {}, "make grade LAB=" + number_of(record.lab)), ".");
}

class LabSection {
 public:
  LabSection(const PageLab& lab, std::size_t number) : lab_(lab), anchors_(number) {
    if (lab.record) causes_ = causes_of(*lab.record);
  }

  Html html() {
    Html body =
        element("h2", {{"id", anchors_.part("title")}}, lab_.title.empty() ? lab_.lab : lab_.title,
                " ", element("span", {{"class", "lab"}}, lab_.lab));
    for (const std::string& note : lab_.notes)
      body += element("p", {{"class", "mark"}}, message_text(note));
    if (lab_.record) body += graded(*lab_.record);
    return element(
        "section",
        {{"id", anchors_.lab()}, {"class", "graded"}, {"aria-labelledby", anchors_.part("title")}},
        body);
  }

 private:
  Html graded(const Record& record) {
    const Sums sums = sums_of(record.items);
    Html summary = element("p", {{"class", "score"}}, score_text(sums));
    summary += score_bar(sums);
    summary += unmeasured(record, sums);
    Html body = element("div", {{"class", "summary"}}, summary);
    if (record.untouched) {
      add("next", "What to try next", untouched_part(record));
    } else {
      add("next", "What to try next", next_part(record, causes_, anchors_));
      add("causes", "What was found", causes_articles(record, causes_, anchors_));
      add("items", "Results", items_table(record, causes_, anchors_));
      add("source", "Source", source_part(record));
      add("counters", "Counters", counters_part(record));
    }
    add("facts", "How it was graded", facts(record));
    if (links_.size() > 2) body += navigation();
    body += parts_;
    return body;
  }

  /// Adds a part with its heading; nothing if it has no content.
  void add(std::string_view id, const std::string& title, const Html& content) {
    if (content.empty()) return;
    const std::string anchor = anchors_.part(id);
    links_.push_back(link_to(anchor, title));
    parts_ += element("h3", {{"id", anchor}}, title);
    parts_ += content;
  }

  Html navigation() const {
    Html list;
    for (const Html& link : links_) list += element("li", {}, link);
    return element("nav", {{"aria-label", "Parts of " + lab_.lab}}, element("ul", {}, list));
  }

  Html source_part(const Record& record) const {
    const Html listing = source_listing(record, causes_, anchors_);
    if (listing.empty() || record.lines.empty()) return listing;
    Html part = element(
        "p", {{"class", "legend"}},
        "Beside a line: what its memory accesses cost in the largest case that you "
        "can see. 3,840 \u00d7 4 sectors are 3,840 requests of 4 sectors each; a request is one "
        "instruction of one warp, a sector 32 bytes of global memory, a wavefront "
        "one pass over the banks of shared memory.");
    part += listing;
    return part;
  }

  static Html counters_part(const Record& record) {
    const Html table = counters_table(record);
    if (table.empty()) return table;
    return element("details", {}, element("summary", {}, "All counters, case by case"),
                   element("section",
                           {{"class", "wide"},
                            {"tabindex", "0"},
                            {"aria-label", "Counters of " + record.lab + " by case"}},
                           table));
  }

  const PageLab& lab_;
  Anchors anchors_;
  std::vector<Cause> causes_;
  std::vector<Html> links_;
  Html parts_;
};

/// "12 items won, 3 not, 2 open"
std::string state_text(const PageLab& lab) {
  if (!lab.record) return "no result";
  if (lab.record->untouched) return "nothing written yet";
  const Sums sums = sums_of(lab.record->items);
  if (sums.infra > 0) return "the grader failed";
  if (sums.all_won()) return "all won";
  const auto open = std::ranges::count_if(lab.record->items, [](const Item& item) {
    return item.status != Status::pass && !not_measured(item);
  });
  return counted(static_cast<std::uint64_t>(open), "item") + " to do";
}

Html summary_row(const PageLab& lab, std::size_t number, bool marks) {
  const Sums sums = lab.record ? sums_of(lab.record->items) : Sums();
  Html row =
      element("th", {{"scope", "row"}}, link_to(Anchors(number).lab(), lab.lab), " ", lab.title);
  row += element("td", {}, state_text(lab));
  row += element("td", {{"class", "points"}}, lab.record ? score_text(sums) : "\u2013",
                 sums.deferred > 0 ? element("span", {{"class", "of"}},
                                             ", " + points_text(sums.deferred) + " deferred")
                                   : Html());
  if (marks) row += element("td", {{"class", "points"}}, lab.mark.empty() ? "\u2013" : lab.mark);
  return element("tr", {}, row);
}

Html summary_table(const Page& page) {
  const bool marks =
      std::ranges::any_of(page.labs, [](const PageLab& lab) { return !lab.mark.empty(); });
  Html head = element("th", {{"scope", "col"}}, "Lab");
  head += element("th", {{"scope", "col"}}, "State");
  head += element("th", {{"scope", "col"}, {"class", "points"}}, "Points");
  if (marks) head += element("th", {{"scope", "col"}, {"class", "points"}}, "Mark");
  Html rows;
  for (std::size_t i = 0; i < page.labs.size(); ++i)
    rows += summary_row(page.labs[i], i + 1, marks);
  return element(
      "section", {{"aria-labelledby", "labs"}}, element("h2", {{"id", "labs"}}, "Labs"),
      element("table", {{"class", "labs"}},
              element("caption", {{"class", "heard"}}, "Labs with state and points"),
              element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
}

std::string heading_of(const Page& page) {
  const std::string what = page.labs.size() == 1
                               ? "Feedback on " + page.labs.front().lab
                               : "Feedback on " + counted(page.labs.size(), "lab");
  return page.student.empty() ? what : what + " for " + page.student;
}

Html head_of(const Page& page) {
  Html head = opened("meta", {{"charset", "utf-8"}});
  head +=
      opened("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  head += opened("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  head += opened("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
  // A title holds no elements: what cannot be seen is replaced as in an attribute.
  head += element("title", {}, attribute_text(heading_of(page)));
  head += element("style", {}, Html::made(std::string(kStyle)));
  return element("head", {}, head);
}

}  // namespace

std::string html_page(const Page& page) {
  Html main;
  if (page.labs.size() > 1) main += summary_table(page);
  for (std::size_t i = 0; i < page.labs.size(); ++i) main += LabSection(page.labs[i], i + 1).html();
  const Html body = element(
      "body", {}, element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the results"),
      element("header", {}, element("h1", {}, heading_of(page))),
      element("main", {{"id", "main"}}, main),
      element("footer", {},
              element("p", {}, "Written by Tessera from the record of the grading.")));
  return "<!DOCTYPE html>\n" + element("html", {{"lang", "en"}}, head_of(page), body).str() + "\n";
}

std::string html_report(const std::vector<Record>& records) {
  Page page;
  for (const Record& record : records)
    page.labs.push_back({record.lab, record.title, "", {}, record});
  return html_page(page);
}

}  // namespace tessera
