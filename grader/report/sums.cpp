#include "grader/report/sums.h"

#include <algorithm>

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

std::string reasons(const Record& record, Status status) {
  std::vector<Text> seen;
  std::string text;
  for (const Item& item : record.items) {
    if (item.status != status || item.message.empty()) continue;
    if (std::ranges::count(seen, item.message) > 0) continue;
    seen.push_back(item.message);
    text += (text.empty() ? "" : "; ") + item.message.str();
  }
  return text;
}

}  // namespace tessera
