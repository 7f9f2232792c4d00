#include "grader/report/html/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/numbers.h"
#include "common/utf8.h"
#include "grader/report/advice.h"
#include "grader/report/finding_text.h"
#include "grader/report/html/figures.h"
#include "grader/report/pictures/choice.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxLineBytes = 300;
constexpr std::size_t kMaxMarkup = 400'000;  // bytes of the lines without notes
constexpr int kContext = 4;                  // lines around a line with notes
constexpr std::size_t kMaxNotedLines = 100;
constexpr std::size_t kMaxFigures = 12;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the word at `start`, or of the character if there is no word.
std::size_t end_of_word(std::string_view line, std::size_t start) {
  std::size_t end = start;
  while (end < line.size() && is_word(line[end])) ++end;
  return end > start ? end
                     : start + decode_utf8(line.substr(start)).value_or(Utf8Character{}).bytes;
}

std::string per_request(std::uint64_t passes, const LineAccess& access) {
  const double each = static_cast<double>(passes) / static_cast<double>(access.requests);
  return short_number(std::round(each * 100) / 100);
}

std::string access_name(const LineAccess& access) {
  return fmt::format("{} {}", access.memory == LineAccess::Memory::global ? "global" : "shared",
                     access.store ? "store" : "load");
}

/// "global load: 3,840 x 16 sectors, 4 would do"
Html cost_of(const LineAccess& access, bool bad) {
  const std::string unit = access.memory == LineAccess::Memory::global ? "sector" : "wavefront";
  const std::string each = per_request(access.passes, access);
  Html text = fmt::format("{}: {} \u00d7 ", access_name(access), grouped(access.requests));
  const std::string passes = fmt::format("{} {}{}", each, unit, each == "1" ? "" : "s");
  text += bad ? element("strong", {}, passes) : Html(passes);
  if (bad) text += fmt::format(", {} would do", per_request(access.ideal, access));
  return element("li", {{"class", bad ? "bad" : "good"}}, text);
}

class Listing {
 public:
  Listing(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors)
      : record_(record), counted_(counted_source(record)), causes_(causes), anchors_(anchors) {
    for (std::size_t i = 0; i < causes.size(); ++i) {
      const Finding& finding = causes[i].finding;
      if (is_in_source(finding, record)) findings_[finding.line].push_back(i);
    }
    for (const LineAccess& access : record.lines) {
      if (access.requests > 0 && access.line > 0 && access.line <= line_count())
        accesses_[access.line].push_back(&access);
    }
    for (const Item& item : record.items) {
      if (const LineAccess* access = access_of(item, record)) costly_.insert(access);
    }
    choose_noted();
    choose_pictured();
  }

  Html html() {
    Html lines;
    int shown = 0;  // the last line listed
    std::size_t markup = 0;
    for (int number = 1; number <= line_count(); ++number) {
      const bool wanted = noted_.contains(number);
      if (!wanted && markup >= kMaxMarkup) continue;
      if (number > shown + 1) lines += gap(shown + 1, number - 1);
      const Html line = line_html(number);
      markup += line.str().size();
      lines += line;
      shown = number;
    }
    if (shown < line_count()) lines += gap(shown + 1, line_count());
    return element("ol", {{"class", "source"}}, lines);
  }

 private:
  int line_count() const { return static_cast<int>(record_.source.size()); }
  bool is_bad(const LineAccess& access) const { return !advice(counted_, access).empty(); }

  /// Chooses the lines with notes and those around them, as many as a page has room for.
  void choose_noted() {
    std::set<int> said;
    for (const auto& [line, unused] : findings_) said.insert(line);
    for (const auto& [line, unused] : accesses_) said.insert(line);
    std::size_t count = 0;
    for (const int line : said) {
      if (++count > kMaxNotedLines) break;
      const int last = std::min(line + kContext, line_count());
      for (int i = std::max(line - kContext, 1); i <= last; ++i) noted_.insert(i);
    }
  }

  /// Chooses accesses that cost points, then bad ones, as many as a page has room for.
  void choose_pictured() {
    pictured_ = costly_;
    for (const LineAccess& access : record_.lines) {
      if (pictured_.size() < kMaxFigures && is_bad(access)) pictured_.insert(&access);
    }
  }

  static Html gap(int first, int last) {
    const std::string lines =
        first == last
            ? fmt::format("line {} is", first)
            : fmt::format("lines {} to {} are", grouped(static_cast<std::uint64_t>(first)),
                          grouped(static_cast<std::uint64_t>(last)));
    return element("li", {{"class", "gap"}},
                   lines + " left out: the file is too long for this page");
  }

  Html line_html(int number) const {
    const auto found = findings_.find(number);
    const auto costs = accesses_.find(number);
    const std::string id = anchors_.line(number);
    const std::string_view line = record_.source[static_cast<std::size_t>(number) - 1];
    int column = 0;
    std::string look = "line";
    Html notes;
    if (found != findings_.end()) {
      column = causes_[found->second.front()].finding.column;
      look += " " + std::string(to_string(worst_severity(found->second)));
      for (const std::size_t cause : found->second) notes += finding_note(cause);
    }
    Html beside;
    if (costs != accesses_.end()) {
      for (const LineAccess* access : costs->second) {
        beside += cost_of(*access, is_bad(*access));
        notes += access_note(*access);
      }
      beside = element("ul", {{"class", "cost"}}, beside);
    }
    const Html label =
        element("a", {{"class", "number"}, {"href", "#" + id}},
                element("span", {{"class", "heard"}}, "Line "), std::to_string(number));
    return element("li", {{"id", id}, {"class", look}}, label,
                   element("code", {{"dir", "ltr"}}, code_line(line, column)), beside, notes,
                   Html::made("\n"));
  }

  Severity worst_severity(const std::vector<std::size_t>& indexes) const {
    Severity worst = Severity::info;
    for (const std::size_t i : indexes) worst = std::min(worst, causes_[i].finding.severity);
    return worst;
  }

  Html finding_note(std::size_t index) const {
    const Finding& finding = causes_[index].finding;
    const std::string severity(to_string(finding.severity));
    const std::string word = finding.severity == Severity::error ? "" : severity + ": ";
    return element("p", {{"class", "note " + severity}},
                   element("strong", {}, word + std::string(to_string(finding.kind))), " ",
                   message_text(finding.message), " ",
                   link_to(anchors_.cause(index), "what to do"));
  }

  Html access_note(const LineAccess& access) const {
    Html note;
    if (const std::string found = advice(counted_, access); !found.empty()) {
      note += element("p", {{"class", "note costly"}}, element("strong", {}, access_name(access)),
                      " ", message_text(found));
    }
    if (pictured_.contains(&access)) note += picture(access);
    return note;
  }

  /// The picture of an access, open if it explains lost points.
  Html picture(const LineAccess& access) const {
    const Html figure = access_figure(access);
    if (figure.empty()) return figure;
    std::vector<Attribute> attributes = {{"class", "lanes"}};
    if (costly_.contains(&access)) attributes.push_back({"open", ""});
    return element("details", attributes,
                   element("summary", {}, "How the lanes of a warp lie: " + access_name(access)),
                   figure);
  }

  const Record& record_;
  const CountedSource counted_;
  const std::vector<Cause>& causes_;
  const Anchors& anchors_;
  std::map<int, std::vector<std::size_t>> findings_;        // indexes of causes_, by line
  std::map<int, std::vector<const LineAccess*>> accesses_;  // by line
  std::set<int> noted_;
  std::set<const LineAccess*> costly_;  // that cost points
  std::set<const LineAccess*> pictured_;
};

}  // namespace

bool is_in_source(const Finding& finding, const Record& record) {
  return is_in_source(finding.line, record) && finding.file == kSubmissionFile;
}

bool is_in_source(int line, const Record& record) {
  return line > 0 && static_cast<std::size_t>(line) <= record.source.size();
}

Html code_line(std::string_view line, int column) {
  const std::string_view shown = prefix_of_bytes(line, kMaxLineBytes);
  const std::size_t left_out = line.size() - shown.size();
  Html code;
  if (column > 0 && static_cast<std::size_t>(column) <= shown.size()) {
    const auto start = static_cast<std::size_t>(column) - 1;
    const std::size_t end = end_of_word(shown, start);
    code += shown.substr(0, start);
    code += element("mark", {}, shown.substr(start, end - start));
    code += shown.substr(end);
  } else {
    code += shown;
  }
  if (left_out > 0)
    code += element("i", {}, fmt::format(" ... and {} bytes more", grouped(left_out)));
  return code;
}

Html source_listing(const Record& record, const std::vector<Cause>& causes,
                    const Anchors& anchors) {
  return record.source.empty() ? Html() : Listing(record, causes, anchors).html();
}

}  // namespace tessera
