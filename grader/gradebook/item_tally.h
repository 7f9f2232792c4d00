// Counts the items of a lab over the records of a class.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

/// One item, by its id and title: an edited lab has the old one and the new one.
struct ItemCounts {
  std::string id;
  std::string name;   // short: "case 2", "hidden case 1", else the id
  std::string label;  // item_label() without what one student's kernel counted
  double max_points = 0;
  int won = 0;     // all points
  int partly = 0;  // some
  int lost = 0;    // none: fail, error, timeout
  int skipped = 0;
  int deferred = 0;
  int review = 0;
  int infra = 0;
  std::vector<double> points;  // of those that were measured, skipped ones included

  double mean_points() const;  // 0 if nothing was measured
};

class ItemTally {
 public:
  /// Counts the item and returns its index in items().
  std::size_t add(const Item& item);

  /// In the order in which they were first seen.
  const std::vector<ItemCounts>& items() const { return items_; }

 private:
  std::vector<ItemCounts> items_;
  std::vector<std::string> titles_;  // of items_
};

}  // namespace tessera
