#include "grader/judge/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/recipe.h"
#include "grader/judge/numbers.h"
#include "grader/judge/region.h"

namespace tessera {
namespace {

std::uint32_t bits_at(const HostMatrix& matrix, int row, int column) {
  const std::size_t index =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch()) +
      static_cast<std::size_t>(column);
  std::uint32_t bits = 0;
  std::memcpy(&bits, matrix.bytes().data() + index * sizeof bits, sizeof bits);
  return bits;
}

/// Enough digits to tell any two elements apart.
std::string value_text(Element element, double value) {
  return element == Element::int32 ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

/// Elements of one kind of failure, with the first of them.
struct Group {
  explicit Group(const HostMatrix& matrix) : region(matrix.height(), matrix.width()) {}

  void add(int row, int column) {
    if (region.count() == 0) {
      first_row = row;
      first_column = column;
    }
    region.add(row, column);
  }

  Region region;
  int first_row = 0;
  int first_column = 0;
};

class Comparer {
 public:
  Comparer(const std::string& name, const HostMatrix& got, const Reference& reference)
      : name_(name),
        got_(got),
        reference_(reference),
        unwritten_(got),
        not_finite_(got),
        wrong_(got) {}

  Comparison compare() {
    for (int row = 0; row < got_.height(); ++row) {
      for (int column = 0; column < got_.width(); ++column) check(row, column);
    }
    Comparison comparison;
    comparison.unwritten = unwritten_.region.count() == size();
    if (unwritten_.region.count() > 0) comparison.findings.push_back(unwritten_finding());
    if (not_finite_.region.count() > 0) comparison.findings.push_back(not_finite_finding());
    if (wrong_.region.count() > 0) comparison.findings.push_back(wrong_finding());
    return comparison;
  }

 private:
  std::uint64_t size() const {
    return static_cast<std::uint64_t>(got_.height()) * static_cast<std::uint64_t>(got_.width());
  }

  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(got_.width()) +
           static_cast<std::size_t>(column);
  }

  void check(int row, int column) {
    const double got = got_.value(row, column);
    const double bound = reference_.bound[index(row, column)];
    const double error = std::abs(got - reference_.value[index(row, column)]);
    if (error <= bound) return;
    if (bits_at(got_, row, column) == poison_bits(got_.element())) {
      unwritten_.add(row, column);
    } else if (!std::isfinite(got)) {
      not_finite_.add(row, column);
    } else {
      wrong_.add(row, column);
      if (bound > 0) worst_ratio_ = std::max(worst_ratio_, error / bound);
    }
  }

  std::string first_element(const Group& group) const {
    return element_name(name_, got_, group.first_row, group.first_column);
  }

  std::string got_value(const Group& group) const {
    return value_text(got_.element(), got_.value(group.first_row, group.first_column));
  }

  std::string expected_value(const Group& group) const {
    return value_text(got_.element(), reference_.value[index(group.first_row, group.first_column)]);
  }

  /// "C: 3 of 6,144 elements are wrong: the last 3 columns"
  std::string summary(const Group& group, const std::string& what) const {
    const std::uint64_t count = group.region.count();
    return fmt::format("{}: {} of {} {} {}: {}", name_, grouped(count), counted(size(), "element"),
                       count == 1 ? "is" : "are", what, group.region.describe());
  }

  Finding finding(FindingKind kind, const Group& group, std::string message,
                  std::string hint) const {
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    finding.count = group.region.count();
    finding.example = {{"element", first_element(group)},
                       {"got", got_value(group)},
                       {"expected", expected_value(group)}};
    return finding;
  }

  Finding unwritten_finding() const {
    const bool all = unwritten_.region.count() == size();
    Finding result =
        all ? finding(FindingKind::output_not_written, unwritten_,
                      fmt::format("{}: nothing was written, all {} are as they were", name_,
                                  counted(size(), "element")),
                      fmt::format("store the result in {}", name_))
            : finding(FindingKind::output_not_written, unwritten_,
                      summary(unwritten_, "not written"),
                      fmt::format("which thread should write {}? See that the grid of `launch` "
                                  "has it, and that no guard leaves it out",
                                  first_element(unwritten_)));
    result.example.erase(result.example.begin() + 1);
    return result;
  }

  Finding not_finite_finding() const {
    return finding(FindingKind::not_finite, not_finite_,
                   summary(not_finite_, "not a finite number") +
                       fmt::format(". {} is {}, expected {}", first_element(not_finite_),
                                   got_value(not_finite_), expected_value(not_finite_)),
                   fmt::format("{} starts as NaN, and so does memory that nobody wrote: is a sum "
                               "read before it is set to 0, or an element before it is written?",
                               name_));
  }

  Finding wrong_finding() const {
    const std::string margin =
        worst_ratio_ == 0 ? "; this data leaves no room for rounding"
                          : fmt::format("; the largest error is {} times what rounding explains",
                                        short_number(worst_ratio_));
    return finding(
        FindingKind::wrong_result, wrong_,
        summary(wrong_, "wrong") + fmt::format(". {} is {}, expected {}{}", first_element(wrong_),
                                               got_value(wrong_), expected_value(wrong_), margin),
        wrong_hint());
  }

  std::string wrong_hint() const {
    if (accumulates_on_poison()) {
      return fmt::format(
          "{} holds nothing useful at the start: assign to it, or start at 0, "
          "instead of adding to what is there",
          name_);
    }
    return fmt::format(
        "follow {} by hand: which thread computes it, and which elements does that "
        "thread read?",
        first_element(wrong_));
  }

  /// `C += sum` on int32, whose poison is a number.
  bool accumulates_on_poison() const {
    if (got_.element() != Element::int32) return false;
    const double expected = reference_.value[index(wrong_.first_row, wrong_.first_column)];
    const std::uint32_t sum = static_cast<std::uint32_t>(static_cast<std::int64_t>(expected)) +
                              poison_bits(Element::int32);
    return sum == bits_at(got_, wrong_.first_row, wrong_.first_column);
  }

  const std::string& name_;
  const HostMatrix& got_;
  const Reference& reference_;
  Group unwritten_;
  Group not_finite_;
  Group wrong_;
  double worst_ratio_ = 0;
};

}  // namespace

std::string element_name(const std::string& name, const HostMatrix& matrix, int row, int column) {
  return matrix.height() == 1 ? fmt::format("{}[{}]", name, column)
                              : fmt::format("{}[{}][{}]", name, row, column);
}

Comparison compare_output(const std::string& name, const HostMatrix& got,
                          const Reference& reference) {
  return Comparer(name, got, reference).compare();
}

std::optional<Finding> find_modified(const std::string& name, const HostMatrix& before,
                                     const HostMatrix& after) {
  Group changed(before);
  for (int row = 0; row < before.height(); ++row) {
    for (int column = 0; column < before.width(); ++column) {
      if (bits_at(before, row, column) != bits_at(after, row, column)) changed.add(row, column);
    }
  }
  if (changed.region.count() == 0) return std::nullopt;
  const std::string first = element_name(name, before, changed.first_row, changed.first_column);
  const auto first_of = [&](const HostMatrix& matrix) {
    return value_text(matrix.element(), matrix.value(changed.first_row, changed.first_column));
  };
  Finding finding;
  finding.kind = FindingKind::input_modified;
  finding.count = changed.region.count();
  finding.message = fmt::format("input {}: {} changed: {}. {} was {} and is {}", name,
                                counted(finding.count, "element"), changed.region.describe(), first,
                                first_of(before), first_of(after));
  finding.hint = fmt::format("{} is an input: read it, and keep what changes elsewhere", name);
  finding.example = {{"element", first}};
  return finding;
}

std::optional<Finding> find_padding_write(const std::string& name, const HostMatrix& output) {
  Finding finding;
  finding.count = 0;
  for (int row = 0; row + 1 < output.height(); ++row) {
    for (int column = output.width(); column < output.pitch(); ++column) {
      if (bits_at(output, row, column) == poison_bits(output.element())) continue;
      if (finding.count++ > 0) continue;
      finding.example = {{"element", element_name(name, output, row, column)}};
    }
  }
  if (finding.count == 0) return std::nullopt;
  finding.kind = FindingKind::out_of_bounds;
  finding.message = fmt::format(
      "{} was written, but rows of {} have {}: what follows, up to the next row, is padding",
      finding.example.front().second, name,
      counted(static_cast<std::uint64_t>(output.width()), "element"));
  finding.hint = fmt::format("guard the store: write only where column < {}.width", name);
  return finding;
}

}  // namespace tessera
