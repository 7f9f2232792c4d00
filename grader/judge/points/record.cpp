#include "grader/judge/points/record.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// `points` rounded, so that a sum of thirds does not read 49.99999999999999.
double rounded(double points) {
  return std::round(points * 1e9) / 1e9;
}

bool points_lost(const Item& item) {
  return !not_measured(item) && item.points < item.max_points - 1e-9;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::pass:
      return "pass";
    case Status::partial:
      return "partial";
    case Status::fail:
      return "fail";
    case Status::error:
      return "error";
    case Status::timeout:
      return "timeout";
    case Status::skipped:
      return "skipped";
    case Status::deferred:
      return "deferred";
    case Status::review:
      return "review";
    case Status::infra:
      return "infra";
  }
  return "infra";
}

bool not_measured(const Item& item) {
  return item.status == Status::deferred || item.status == Status::infra;
}

std::optional<Metric> metric_of(const Item& item) {
  // Its title begins with the name, which older records have nowhere else.
  return metric_named(std::string_view(item.title).substr(0, item.title.find_first_of(" ,")));
}

void sum_points(Record& record) {
  record.score = record.max_score = record.deferred = 0;
  for (const Item& item : record.items) {
    record.score += item.points;
    record.max_score += item.max_points;
    if (not_measured(item)) record.deferred += item.max_points;
  }
  for (double* points : {&record.score, &record.max_score, &record.deferred}) {
    *points = rounded(*points);
  }
}

int exit_status(const std::vector<Record>& records) {
  bool infra = false;
  bool lost = false;
  for (const Record& record : records) {
    for (const Item& item : record.items) {
      infra = infra || item.status == Status::infra;
      lost = lost || points_lost(item);
    }
  }
  return infra ? 3 : (lost ? 1 : 0);
}

}  // namespace tessera
