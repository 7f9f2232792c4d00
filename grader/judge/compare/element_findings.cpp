#include "grader/judge/compare/element_findings.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "common/numbers.h"

namespace tessera {

std::uint32_t bits_at(const HostMatrix& matrix, int row, int column) {
  const std::size_t index =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch()) +
      static_cast<std::size_t>(column);
  std::uint32_t bits = 0;
  std::memcpy(&bits, matrix.bytes().data() + index * sizeof bits, sizeof bits);
  return bits;
}

std::string value_text(Element element, double value) {
  return element == Element::int32 ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

void Group::add(int row, int column) {
  if (empty()) {
    first_row = row;
    first_column = column;
  }
  region.add(row, column);
}

std::uint64_t ElementFindings::size() const {
  return static_cast<std::uint64_t>(got_.height()) * static_cast<std::uint64_t>(got_.width());
}

ArrayElement ElementFindings::element(const Group& group) const {
  return element_name(name_, got_, group.first_row, group.first_column);
}

std::string ElementFindings::got(const Group& group) const {
  return value_text(got_.element(), got_.value(group.first_row, group.first_column));
}

Text ElementFindings::summary(const Group& group, Phrase what) const {
  const std::uint64_t count = group.region.count();
  return say(Phrase::some_of, Name{name_}, Detail(grouped(count)), Count{size(), Phrase::element},
             count == 1 ? Phrase::is : Phrase::are, what) +
         group.region.describe();
}

Text ElementFindings::got_expected(const Group& group, double expected_value) const {
  return say(Phrase::got_expected, element(group), Detail(got(group)),
             Detail(expected(expected_value)));
}

Finding ElementFindings::finding(FindingKind kind, const Group& group, double expected_value,
                                 Text message, Text hint) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  finding.count = group.region.count();
  finding.example = {{"element", element(group).str()},
                     {"got", got(group)},
                     {"expected", expected(expected_value)}};
  return finding;
}

Comparison ElementFindings::started(const Group& unwritten, const Group& not_finite,
                                    const std::function<double(const Group&)>& expected) const {
  Comparison comparison;
  comparison.unwritten = unwritten.region.count() == size();
  if (!unwritten.empty())
    comparison.findings.push_back(unwritten_finding(unwritten, expected(unwritten)));
  if (!not_finite.empty())
    comparison.findings.push_back(not_finite_finding(not_finite, expected(not_finite)));
  return comparison;
}

Finding ElementFindings::unwritten_finding(const Group& group, double expected_value) const {
  const bool all = group.region.count() == size();
  Finding result =
      finding(FindingKind::output_not_written, group, expected_value,
              all ? say(Phrase::nothing_written, Name{name_}, Count{size(), Phrase::element})
                  : summary(group, Phrase::not_written),
              all ? say(Phrase::nothing_written_hint, Name{name_})
                  : say(Phrase::some_not_written_hint, element(group)));
  std::erase_if(result.example, [](const auto& entry) { return entry.first == "got"; });
  return result;
}

Finding ElementFindings::not_finite_finding(const Group& group, double expected_value) const {
  return finding(FindingKind::not_finite, group, expected_value,
                 summary(group, Phrase::not_finite) + got_expected(group, expected_value),
                 say(Phrase::not_finite_hint, Name{name_}));
}

Text ElementFindings::follow_by_hand(const Group& group) const {
  return say(Phrase::follow_by_hand_hint, element(group));
}

}  // namespace tessera
