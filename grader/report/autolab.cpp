#include "grader/report/autolab.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/report/points.h"
#include "grader/report/timed_item.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

struct Problem {
  std::string name;
  std::vector<Item> items;
};

std::vector<Problem> groups_of(const Record& record) {
  constexpr std::array<std::array<const char*, 2>, 4> kGroups = {{{"Correctness", "correctness/"},
                                                                  {"Checks", "checks"},
                                                                  {"Technique", "technique/"},
                                                                  {"Performance", "performance/"}}};
  std::vector<Problem> groups;
  for (const auto& [name, prefix] : kGroups) {
    Problem group{name, {}};
    for (const Item& item : record.items) {
      if (item.id.starts_with(prefix)) group.items.push_back(item);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

Json scores_of(const std::vector<Problem>& problems) {
  Json scores = Json::object();
  for (const Problem& problem : problems) {
    const Sums sums = sums_of(problem.items);
    if (sums.measured > 0) {
      scores[problem.name] = rounded_points(fair_score(sums).value_or(0));
    } else if (sums.deferred + sums.infra > 0) {
      scores[problem.name] = nullptr;
    }
  }
  return scores;
}

double gflops(const Record& record) {
  const Item* timed = timed_item(record);
  if (timed == nullptr || !timed->metrics.contains("gflops")) return 0;
  return std::round(timed->metrics.at("gflops"));
}

/// A rank needs a number: 0 where there is no score.
double ranked(const Sums& sums) {
  return rounded_points(fair_score(sums).value_or(0));
}

}  // namespace

std::string autolab_report(const std::vector<Record>& records) {
  std::vector<Problem> problems;
  Json scoreboard = {ranked(sums_of(records))};
  if (records.size() == 1) {
    problems = groups_of(records.front());
    scoreboard.push_back(gflops(records.front()));
  } else {
    for (const Record& record : records) {
      problems.push_back({record.lab, record.items});
      scoreboard.push_back(ranked(sums_of(record.items)));
    }
  }
  const Json json = {{"scores", scores_of(problems)}, {"scoreboard", scoreboard}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
