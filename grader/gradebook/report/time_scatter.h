// Compares measured and modelled times of a class with the thresholds of its lab.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/report/class_report.h"

namespace tessera {

/// Collects the values for the thresholds of one lab over the items of many records.
class TimeTally {
 public:
  /// `lab` may be null: then there are no limits. It must outlive this.
  explicit TimeTally(const Lab* lab) : lab_(lab) {}

  /// Counts the item if it is one of performance, even if its `max_points` are 0.
  void add(const Item& item);

  /// In the order in which their items were first seen.
  std::vector<TimeScatter> scatters() const;

 private:
  const Lab* lab_;
  std::vector<TimeScatter> scatters_;
};

}  // namespace tessera
