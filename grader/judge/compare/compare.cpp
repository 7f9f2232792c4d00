#include "grader/judge/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/numbers.h"
#include "common/recipe.h"
#include "grader/judge/compare/element_findings.h"

namespace tessera {
namespace {

class Comparer {
 public:
  Comparer(const std::string& name, const HostMatrix& got, const Reference& reference)
      : name_(name),
        got_(got),
        reference_(reference),
        report_(name, got),
        unwritten_(got),
        not_finite_(got),
        wrong_(got) {}

  Comparison compare() {
    for (int row = 0; row < got_.height(); ++row) {
      for (int column = 0; column < got_.width(); ++column) check(row, column);
    }
    Comparison comparison = report_.started(unwritten_, not_finite_,
                                            [this](const Group& group) { return expected(group); });
    if (!wrong_.empty()) comparison.findings.push_back(wrong_finding());
    if (!comparison.findings.empty()) {
      comparison.map = result_map(name_, got_.height(), got_.width(),
                                  [this](int row, int column) { return state(row, column); });
    }
    return comparison;
  }

 private:
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

  ElementState state(int row, int column) const {
    if (unwritten_.region.contains(row, column)) return ElementState::unwritten;
    if (not_finite_.region.contains(row, column)) return ElementState::not_finite;
    return wrong_.region.contains(row, column) ? ElementState::wrong : ElementState::right;
  }

  /// The right value of the group's first element.
  double expected(const Group& group) const {
    return reference_.value[index(group.first_row, group.first_column)];
  }

  Finding wrong_finding() const {
    const Text margin = worst_ratio_ == 0
                            ? Phrase::no_rounding
                            : say(Phrase::largest_error, Detail(short_number(worst_ratio_)));
    return report_.finding(FindingKind::wrong_result, wrong_, expected(wrong_),
                           report_.summary(wrong_, Phrase::wrong) +
                               report_.got_expected(wrong_, expected(wrong_)) + margin,
                           wrong_hint());
  }

  Text wrong_hint() const {
    if (accumulates_on_poison()) return say(Phrase::accumulates_on_poison_hint, Name{name_});
    return report_.follow_by_hand(wrong_);
  }

  /// Whether the results look like `C += sum` on int32, whose poison is a number.
  bool accumulates_on_poison() const {
    if (got_.element() != Element::int32) return false;
    const auto right = static_cast<std::int64_t>(expected(wrong_));
    const std::uint32_t sum = static_cast<std::uint32_t>(right) + poison_bits(Element::int32);
    return sum == bits_at(got_, wrong_.first_row, wrong_.first_column);
  }

  const std::string& name_;
  const HostMatrix& got_;
  const Reference& reference_;
  ElementFindings report_;
  Group unwritten_;
  Group not_finite_;
  Group wrong_;
  double worst_ratio_ = 0;
};

}  // namespace

ArrayElement element_name(const std::string& name, const HostMatrix& matrix, int row, int column) {
  return {name, matrix.height() == 1 ? fmt::format("[{}]", column)
                                     : fmt::format("[{}][{}]", row, column)};
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
  if (changed.empty()) return std::nullopt;
  const ArrayElement first = element_name(name, before, changed.first_row, changed.first_column);
  const auto first_of = [&](const HostMatrix& matrix) {
    return Detail(
        value_text(matrix.element(), matrix.value(changed.first_row, changed.first_column)));
  };
  Finding finding;
  finding.kind = FindingKind::input_modified;
  finding.count = changed.region.count();
  finding.message =
      say(Phrase::input_changed_at, Name{name}, Count{finding.count, Phrase::element}) +
      changed.region.describe() + say(Phrase::input_was, first, first_of(before), first_of(after));
  finding.hint = say(Phrase::input_changed_hint, Name{name});
  finding.example = {{"element", first.str()}};
  return finding;
}

std::optional<Finding> find_padding_write(const std::string& name, const HostMatrix& output) {
  Finding finding;
  finding.count = 0;
  ArrayElement first;
  for (int row = 0; row + 1 < output.height(); ++row) {
    for (int column = output.width(); column < output.pitch(); ++column) {
      if (bits_at(output, row, column) == poison_bits(output.element())) continue;
      if (finding.count++ > 0) continue;
      first = element_name(name, output, row, column);
    }
  }
  if (finding.count == 0) return std::nullopt;
  finding.kind = FindingKind::out_of_bounds;
  const Count width{static_cast<std::uint64_t>(output.width()), Phrase::element};
  finding.message = say(Phrase::padding_written, first, Name{name}, width);
  finding.hint = say(Phrase::padding_written_hint, Name{name});
  finding.example = {{"element", first.str()}};
  return finding;
}

}  // namespace tessera
