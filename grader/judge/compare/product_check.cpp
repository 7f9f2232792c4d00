// Reports suspect rows as findings about elements.
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/numbers.h"
#include "common/recipe.h"
#include "grader/judge/compare/element_findings.h"
#include "grader/judge/compare/freivalds.h"

namespace tessera {
namespace {

/// The multiply-adds that locating may take: a second or two.
constexpr double kLocateWork = 0x1p29;

class Locator {
 public:
  Locator(const std::string& name, const HostMatrix& a, const HostMatrix& b, const HostMatrix& got)
      : name_(name),
        a_(a),
        b_(b),
        got_(got),
        report_(name, got),
        unwritten_(got),
        not_finite_(got),
        wrong_(got) {}

  Comparison locate(const std::vector<SuspectRow>& suspects) {
    const double row_work = 3.0 * a_.width() * b_.width();
    const auto affordable = static_cast<std::size_t>(4 + kLocateWork / std::max(row_work, 1.0));
    for (const SuspectRow& suspect : suspects) {
      const bool explained = sort_out(suspect.row);
      if (!explained) unexplained_.push_back(suspect);
      if (recomputed_ < affordable && !nothing_left(suspect.row)) compare_row(suspect.row);
    }
    Comparison comparison = report_.started(unwritten_, not_finite_,
                                            [this](const Group& group) { return expected(group); });
    if (!wrong_.empty()) {
      comparison.findings.push_back(wrong_finding());
    } else if (!unexplained_.empty()) {
      comparison.findings.push_back(imprecise_finding());
    }
    return comparison;
  }

 private:
  /// Notes what a suspect row shows without its right values; returns whether there is anything.
  bool sort_out(int row) {
    bool any = false;
    for (int column = 0; column < got_.width(); ++column) {
      if (bits_at(got_, row, column) == poison_bits(got_.element())) {
        unwritten_.add(row, column);
        any = true;
      } else if (got_.element() == Element::float32 && !std::isfinite(got_.value(row, column))) {
        not_finite_.add(row, column);
        any = true;
      }
    }
    return any;
  }

  bool is_noted(int row, int column) const {
    return unwritten_.region.contains(row, column) || not_finite_.region.contains(row, column);
  }

  bool nothing_left(int row) const {
    for (int column = 0; column < got_.width(); ++column) {
      if (!is_noted(row, column)) return false;
    }
    return true;
  }

  void compare_row(int row) {
    ++recomputed_;
    const ProductRow right = product_row(a_, b_, row);
    for (int column = 0; column < got_.width(); ++column) {
      if (is_noted(row, column)) continue;
      const auto at = static_cast<std::size_t>(column);
      if (!(std::abs(got_.value(row, column) - right.value[at]) <= right.bound[at])) {
        wrong_.add(row, column);
      }
    }
  }

  /// The right value of the group's first element.
  double expected(const Group& group) const {
    return product_row(a_, b_, group.first_row).value[static_cast<std::size_t>(group.first_column)];
  }

  Region rows_of(const std::vector<SuspectRow>& suspects) const {
    Region rows(got_.height(), got_.width());
    for (const SuspectRow& suspect : suspects) {
      for (int column = 0; column < got_.width(); ++column) rows.add(suspect.row, column);
    }
    return rows;
  }

  /// "C: 8,192 of 8,192 rows are wrong: all of them"
  Text row_summary() const {
    return say(Phrase::some_of, Name{name_}, Detail(grouped(unexplained_.size())),
               Count{static_cast<std::uint64_t>(got_.height()), Phrase::row},
               unexplained_.size() == 1 ? Phrase::is : Phrase::are, Phrase::wrong) +
           rows_of(unexplained_).describe();
  }

  Finding wrong_finding() const {
    const bool all_compared = recomputed_ >= unexplained_.size();
    const double right = expected(wrong_);
    const Text summary = all_compared ? report_.summary(wrong_, Phrase::wrong) : row_summary();
    return report_.finding(FindingKind::wrong_result, wrong_, right,
                           summary + report_.got_expected(wrong_, right),
                           report_.follow_by_hand(wrong_));
  }

  /// The finding if no single element is far off, but the rows as a whole are.
  Finding imprecise_finding() const {
    const auto worst = std::ranges::max_element(unexplained_, {}, &SuspectRow::excess);
    Finding finding;
    finding.kind = FindingKind::wrong_result;
    finding.count = unexplained_.size();
    finding.message =
        row_summary() + say(Phrase::row_imprecise, worst->row, Detail(short_number(worst->excess)));
    finding.hint = Phrase::row_imprecise_hint;
    finding.example = {{"row", std::to_string(worst->row)}};
    return finding;
  }

  const std::string& name_;
  const HostMatrix& a_;
  const HostMatrix& b_;
  const HostMatrix& got_;
  ElementFindings report_;
  Group unwritten_;
  Group not_finite_;
  Group wrong_;
  std::vector<SuspectRow> unexplained_;  // rows whose elements are all written and finite
  std::size_t recomputed_ = 0;
};

}  // namespace

Comparison check_product(const std::string& name, const HostMatrix& a, const HostMatrix& b,
                         const HostMatrix& got, std::uint64_t seed) {
  const std::vector<SuspectRow> suspects = suspect_rows(a, b, got, seed);
  if (suspects.empty()) return {};
  return Locator(name, a, b, got).locate(suspects);
}

}  // namespace tessera
