// Reports wrong elements; shared by all comparisons of an output with its reference.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/finding.h"
#include "common/host_matrix.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/region.h"

namespace tessera {

/// The bits of an element, by which poison is recognised.
std::uint32_t bits_at(const HostMatrix& matrix, int row, int column);

/// The value with enough digits to distinguish any two elements.
std::string value_text(Element element, double value);

/// Elements with the same kind of failure, and the first of them.
struct Group {
  explicit Group(const HostMatrix& matrix) : region(matrix.height(), matrix.width()) {}

  void add(int row, int column);
  bool empty() const { return region.count() == 0; }

  Region region;
  int first_row = 0;
  int first_column = 0;
};

/// Makes findings about output `name`, which holds `got`. `expected_value` is the right value of a
/// group's first element.
class ElementFindings {
 public:
  ElementFindings(const std::string& name, const HostMatrix& got) : name_(name), got_(got) {}

  std::uint64_t size() const;  // elements of the output

  /// The group's first element, "C[3][5]", and its value.
  ArrayElement element(const Group& group) const;
  std::string got(const Group& group) const;
  std::string expected(double value) const { return value_text(got_.element(), value); }

  /// "C: 3 of 6,144 elements are wrong: the last 3 columns"
  Text summary(const Group& group, Phrase what) const;

  /// ". C[3][5] is 1, expected 2"
  Text got_expected(const Group& group, double expected_value) const;

  Finding finding(FindingKind kind, const Group& group, double expected_value, Text message,
                  Text hint) const;

  /// A comparison with findings about elements that are not written or not finite; those that are
  /// wrong follow. `expected` returns the right value of a group's first element.
  Comparison started(const Group& unwritten, const Group& not_finite,
                     const std::function<double(const Group&)>& expected) const;

  /// "follow C[3][5] by hand: ..."
  Text follow_by_hand(const Group& group) const;

 private:
  Finding unwritten_finding(const Group& group, double expected_value) const;
  Finding not_finite_finding(const Group& group, double expected_value) const;

  const std::string& name_;
  const HostMatrix& got_;
};

}  // namespace tessera
