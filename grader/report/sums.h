// Points of records, by what became of them.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

struct Sums {
  double won = 0;
  double measured = 0;  // that could be won here: neither deferred nor infra
  double review = 0;    // of these, what a GPU or a person has yet to judge: not won so far
  double deferred = 0;
  double infra = 0;

  bool all_won() const { return infra == 0 && won > measured - 1e-6; }
};

Sums sums_of(const std::vector<Item>& items);
Sums sums_of(const std::vector<Record>& records);

/// Why items have this status: each distinct message once, with "; " between them. Those that count
/// only with the same others are one: "10 items not counted without barriers at most 4".
std::string reasons(const Record& record, Status status);

}  // namespace tessera
