// Suspect rows, told as findings about elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/recipe.h"
#include "grader/judge/freivalds.h"
#include "grader/judge/numbers.h"
#include "grader/judge/region.h"

namespace tessera {
namespace {

/// Multiply-adds that locating may cost: a second or two.
constexpr double kLocateWork = 0x1p29;

std::uint32_t bits_at(const HostMatrix& matrix, int row, int column) {
  const std::size_t index =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch()) +
      static_cast<std::size_t>(column);
  std::uint32_t bits = 0;
  std::memcpy(&bits, matrix.bytes().data() + index * sizeof bits, sizeof bits);
  return bits;
}

/// Elements of one kind of failure, with the first of them.
struct Group {
  explicit Group(const HostMatrix& matrix) : region(matrix.height(), matrix.width()) {}

  void add(int row, int column) {
    if (region.count() == 0) first = {row, column};
    region.add(row, column);
  }

  Region region;
  std::pair<int, int> first{0, 0};
};

class Locator {
 public:
  Locator(const std::string& name, const HostMatrix& a, const HostMatrix& b, const HostMatrix& got)
      : name_(name), a_(a), b_(b), got_(got), unwritten_(got), not_finite_(got), wrong_(got) {}

  Comparison locate(const std::vector<SuspectRow>& suspects) {
    const double row_work = 3.0 * a_.width() * b_.width();
    const auto affordable = static_cast<std::size_t>(4 + kLocateWork / std::max(row_work, 1.0));
    for (const SuspectRow& suspect : suspects) {
      const bool explained = sort_out(suspect.row);
      if (!explained) unexplained_.push_back(suspect);
      if (recomputed_ < affordable && !nothing_left(suspect.row)) compare_row(suspect.row);
    }
    Comparison comparison;
    comparison.unwritten = unwritten_.region.count() == size();
    if (unwritten_.region.count() > 0) comparison.findings.push_back(unwritten_finding());
    if (not_finite_.region.count() > 0) comparison.findings.push_back(not_finite_finding());
    if (wrong_.region.count() > 0) {
      comparison.findings.push_back(wrong_finding());
    } else if (!unexplained_.empty()) {
      comparison.findings.push_back(imprecise_finding());
    }
    return comparison;
  }

 private:
  std::uint64_t size() const {
    return static_cast<std::uint64_t>(got_.height()) * static_cast<std::uint64_t>(got_.width());
  }

  /// Notes what a suspect row shows without its right values; whether that makes it suspect.
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

  bool told(int row, int column) const {
    return unwritten_.region.contains(row, column) || not_finite_.region.contains(row, column);
  }

  bool nothing_left(int row) const {
    for (int column = 0; column < got_.width(); ++column) {
      if (!told(row, column)) return false;
    }
    return true;
  }

  void compare_row(int row) {
    ++recomputed_;
    const ProductRow right = product_row(a_, b_, row);
    for (int column = 0; column < got_.width(); ++column) {
      if (told(row, column)) continue;
      const auto at = static_cast<std::size_t>(column);
      if (!(std::abs(got_.value(row, column) - right.value[at]) <= right.bound[at])) {
        wrong_.add(row, column);
      }
    }
  }

  std::string element(const Group& group) const {
    return element_name(name_, got_, group.first.first, group.first.second);
  }

  std::string text(double value) const {
    return got_.element() == Element::int32 ? fmt::format("{:.0f}", value)
                                            : fmt::format("{:.9g}", value);
  }

  std::string got_text(const Group& group) const {
    return text(got_.value(group.first.first, group.first.second));
  }

  std::string expected_text(const Group& group) const {
    return text(
        product_row(a_, b_, group.first.first).value[static_cast<std::size_t>(group.first.second)]);
  }

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
    finding.example = {
        {"element", element(group)}, {"got", got_text(group)}, {"expected", expected_text(group)}};
    return finding;
  }

  Finding unwritten_finding() const {
    const bool all = unwritten_.region.count() == size();
    Finding result = finding(
        FindingKind::output_not_written, unwritten_,
        all ? fmt::format("{}: nothing was written, all {} are as they were", name_,
                          counted(size(), "element"))
            : summary(unwritten_, "not written"),
        all ? fmt::format("store the result in {}", name_)
            : fmt::format("which thread should write {}? See that the grid of `launch` has it, and "
                          "that no guard leaves it out",
                          element(unwritten_)));
    result.example.erase(result.example.begin() + 1);
    return result;
  }

  Finding not_finite_finding() const {
    return finding(FindingKind::not_finite, not_finite_,
                   summary(not_finite_, "not a finite number") +
                       fmt::format(". {} is {}, expected {}", element(not_finite_),
                                   got_text(not_finite_), expected_text(not_finite_)),
                   fmt::format("{} starts as NaN, and so does memory that nobody wrote: is a sum "
                               "read before it is set to 0, or an element before it is written?",
                               name_));
  }

  Region rows_of(const std::vector<SuspectRow>& suspects) const {
    Region rows(got_.height(), got_.width());
    for (const SuspectRow& suspect : suspects) {
      for (int column = 0; column < got_.width(); ++column) rows.add(suspect.row, column);
    }
    return rows;
  }

  /// "C: 8,192 of 8,192 rows are wrong: all of them"
  std::string row_summary() const {
    return fmt::format("{}: {} of {} {} wrong: {}", name_, grouped(unexplained_.size()),
                       counted(static_cast<std::uint64_t>(got_.height()), "row"),
                       unexplained_.size() == 1 ? "is" : "are", rows_of(unexplained_).describe());
  }

  Finding wrong_finding() const {
    const bool all_compared = recomputed_ >= unexplained_.size();
    std::string message = all_compared ? summary(wrong_, "wrong") : row_summary();
    message += fmt::format(". {} is {}, expected {}", element(wrong_), got_text(wrong_),
                           expected_text(wrong_));
    return finding(FindingKind::wrong_result, wrong_, std::move(message),
                   fmt::format("follow {} by hand: which thread computes it, and which elements "
                               "does that thread read?",
                               element(wrong_)));
  }

  /// No single element is far off, the rows as a whole are.
  Finding imprecise_finding() const {
    const auto worst = std::ranges::max_element(unexplained_, {}, &SuspectRow::excess);
    Finding finding;
    finding.kind = FindingKind::wrong_result;
    finding.count = unexplained_.size();
    finding.message =
        row_summary() + fmt::format(
                            ". Row {} is {} times further from the product than rounding "
                            "to float32 explains",
                            worst->row, short_number(worst->excess));
    finding.hint = "are inputs or sums rounded to less than float32 on the way (half, TF32)?";
    finding.example = {{"row", std::to_string(worst->row)}};
    return finding;
  }

  const std::string& name_;
  const HostMatrix& a_;
  const HostMatrix& b_;
  const HostMatrix& got_;
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
