#include "grader/gradebook/report/class_page.h"

#include <fmt/format.h>

#include <cstdint>

#include "common/numbers.h"
#include "common/sha256.h"
#include "grader/gradebook/report/assets.h"
#include "grader/gradebook/report/class_sections.h"
#include "grader/lab/course.h"
#include "grader/report/html/style.h"
#include "grader/report/html/words.h"

namespace tessera {
namespace {

std::string base64_of_hex(const std::string& hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // 24 bits
    const std::string part = hex.substr(at, 6);
    const auto bits = static_cast<std::uint32_t>(std::stoul(part, nullptr, 16))
                      << (4 * (6 - part.size()));
    const std::size_t digits = (part.size() * 4 + 5) / 6;
    for (std::size_t i = 0; i < 4; ++i)
      text += i < digits ? kDigits[(bits >> (18 - 6 * i)) & 63] : '=';
  }
  return text;
}

/// The page runs its own script, loads nothing, and sends nothing.
std::string security_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      base64_of_hex(sha256(kClassScript)));
}

std::string title_of(const ClassReport& report) {
  return report.course.empty() ? "Class report" : "Class report: " + report.course;
}

Html head(const ClassReport& report) {
  return element(
      "head", {}, opened("meta", {{"charset", "utf-8"}}),
      opened("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", security_policy()}}),
      opened("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}),
      opened("meta", {{"name", "color-scheme"}, {"content", "light dark"}}),
      element("title", {}, title_of(report)),
      element("style", {}, Html::made(std::string(kStyle) + std::string(kClassStyle))));
}

Html page_header(const ClassReport& report) {
  Html policy;
  for (const std::string& sentence : report.policy) policy += sentence + " ";
  Html content = element("h1", {}, title_of(report));
  content += element("p", {},
                     fmt::format("{}, {}. As of {}.", counted(report.students.size(), "student"),
                                 counted(report.labs.size(), "lab"), format_time(report.made_at)));
  content += element("p", {}, policy);
  if (report.anonymous)
    content +=
        element("p", {},
                "Without names: a student has the same pseudonym in every report on this "
                "gradebook. Marks are not changed, so a reader who knows a student's marks can "
                "still find that student.");
  for (const std::string& note : report.notes)
    content += element("p", {{"class", "status infra"}}, message_text(note));
  return element("header", {}, content);
}

Html contents(const ClassReport& report) {
  Html items;
  const auto add = [&](const std::string& id, const Html& text) {
    items += element("li", {}, link_to(id, text));
  };
  add("labs", "Labs");
  add("stuck", "Who is stuck");
  add("students", "Students");
  for (std::size_t i = 0; i < report.labs.size(); ++i) add(lab_anchor(i), report.labs[i].id);
  add("marks", "How each mark came about");
  return element("nav", {{"aria-label", "Contents"}}, element("ul", {}, items));
}

Html table_head(const std::vector<Column>& columns) {
  Html cells;
  for (const Column& column : columns) {
    std::vector<Attribute> attributes = {{"scope", "col"}};
    if (column.number) attributes.push_back({"class", "points"});
    cells += element("th", attributes,
                     column.abbreviated.empty()
                         ? Html(column.text)
                         : element("abbr", {{"title", column.abbreviated}}, column.text));
  }
  return element("thead", {}, element("tr", {}, cells));
}

}  // namespace

Html section(const std::string& name, const Html& heading, const Html& content) {
  const std::string title = name + "-title";
  return element("section", {{"id", name}, {"class", "graded"}, {"aria-labelledby", title}},
                 element("h2", {{"id", title}}, heading), content);
}

Html scrolled_table(const std::string& label, const std::vector<Attribute>& attributes,
                    const std::vector<Column>& columns, const Html& bodies) {
  return element("div",
                 {{"class", "wide"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", label}},
                 element("table", attributes, element("caption", {{"class", "heard"}}, label),
                         table_head(columns), bodies));
}

Html number_cell(const Html& content) {
  return element("td", {{"class", "points"}}, content);
}

Html count_cell(int count) {
  return number_cell(grouped(static_cast<std::uint64_t>(count)));
}

std::string lab_anchor(std::size_t lab) {
  return fmt::format("lab{}", lab + 1);
}

std::string student_anchor(std::size_t student) {
  return fmt::format("s{}", student + 1);
}

std::string class_page(const ClassReport& report) {
  Html main = overview_section(report);
  main += trouble_section(report);
  main += students_section(report);
  for (std::size_t i = 0; i < report.labs.size(); ++i) main += lab_section(report, i);
  main += marks_section(report);
  const Html body =
      element("body", {}, element("a", {{"class", "skip"}, {"href", "#main"}}, "To the content"),
              page_header(report), contents(report), element("main", {{"id", "main"}}, main),
              element("footer", {},
                      element("p", {}, "Written by Tessera from the records of the gradebook.")),
              element("script", {}, Html::made(std::string(kClassScript))));
  return "<!DOCTYPE html>\n" + element("html", {{"lang", "en"}}, head(report), body).str() + "\n";
}

}  // namespace tessera
