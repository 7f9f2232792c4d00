#include "grader/report/sums.h"

namespace tessera {
namespace {

void add(const std::vector<Item>& items, Sums& sums) {
  for (const Item& item : items) {
    sums.won += item.points;
    if (item.status == Status::deferred) sums.deferred += item.max_points;
    if (item.status == Status::review) sums.review += item.max_points;
    if (item.status == Status::infra) sums.infra += item.max_points;
    if (!not_measured(item)) sums.measured += item.max_points;
  }
}

}  // namespace

Sums sums_of(const std::vector<Item>& items) {
  Sums sums;
  add(items, sums);
  return sums;
}

Sums sums_of(const std::vector<Record>& records) {
  Sums sums;
  for (const Record& record : records) add(record.items, sums);
  return sums;
}

}  // namespace tessera
