#include "grader/gradebook/item_tally.h"

#include <numeric>

#include "grader/report/causes.h"

namespace tessera {
namespace {

std::string common_label(const Item& item) {
  Item bare;
  bare.id = item.id;
  bare.title = item.title;
  bare.hidden = item.hidden;
  return item_label(bare);
}

int& count_of(Status status, ItemCounts& counts) {
  switch (status) {
    case Status::pass:
      return counts.won;
    case Status::partial:
      return counts.partly;
    case Status::skipped:
      return counts.skipped;
    case Status::deferred:
      return counts.deferred;
    case Status::review:
      return counts.review;
    case Status::infra:
      return counts.infra;
    case Status::fail:
    case Status::error:
    case Status::timeout:
      break;
  }
  return counts.lost;
}

}  // namespace

double ItemCounts::mean_points() const {
  if (points.empty()) return 0;
  return std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
}

std::size_t ItemTally::add(const Item& item) {
  std::size_t at = 0;
  while (at < items_.size() && (items_[at].id != item.id || titles_[at] != item.title)) ++at;
  if (at == items_.size()) {
    const std::string label = case_label(item);
    items_.push_back({.id = item.id,
                      .name = label.empty() ? item.id : label,
                      .label = common_label(item),
                      .max_points = item.max_points,
                      .points = {}});
    titles_.push_back(item.title);
  }
  ++count_of(item.status, items_[at]);
  if (!not_measured(item)) items_[at].points.push_back(item.points);
  return at;
}

}  // namespace tessera
