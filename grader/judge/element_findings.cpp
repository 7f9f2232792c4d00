#include "grader/judge/element_findings.h"

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

std::string ElementFindings::element(const Group& group) const {
  return element_name(name_, got_, group.first_row, group.first_column);
}

std::string ElementFindings::got(const Group& group) const {
  return value_text(got_.element(), got_.value(group.first_row, group.first_column));
}

std::string ElementFindings::summary(const Group& group, const std::string& what) const {
  const std::uint64_t count = group.region.count();
  return fmt::format("{}: {} of {} {} {}: {}", name_, grouped(count), counted(size(), "element"),
                     count == 1 ? "is" : "are", what, group.region.describe());
}

Finding ElementFindings::finding(FindingKind kind, const Group& group, double expected_value,
                                 std::string message, std::string hint) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  finding.count = group.region.count();
  finding.example = {
      {"element", element(group)}, {"got", got(group)}, {"expected", expected(expected_value)}};
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
  Finding result = finding(
      FindingKind::output_not_written, group, expected_value,
      all ? fmt::format("{}: nothing was written, all {} are as they were", name_,
                        counted(size(), "element"))
          : summary(group, "not written"),
      all ? fmt::format(
                "store the result in {0}: is the store missing, is the guard before it true "
                "for no thread, or is it == for =? What nothing is stored of, a compiler "
                "leaves out",
                name_)
          : fmt::format("which thread should write {}? See that the grid of `launch` has it, and "
                        "that no guard leaves it out",
                        element(group)));
  std::erase_if(result.example, [](const auto& entry) { return entry.first == "got"; });
  return result;
}

Finding ElementFindings::not_finite_finding(const Group& group, double expected_value) const {
  return finding(
      FindingKind::not_finite, group, expected_value,
      summary(group, "not a finite number") + fmt::format(". {} is {}, expected {}", element(group),
                                                          got(group), expected(expected_value)),
      fmt::format("{} starts as NaN, and so does memory that nobody wrote: is a sum "
                  "read before it is set to 0, or an element before it is written?",
                  name_));
}

std::string ElementFindings::follow_by_hand(const Group& group) const {
  return fmt::format(
      "follow {} by hand: which thread computes it, and which elements does that thread read?",
      element(group));
}

}  // namespace tessera
