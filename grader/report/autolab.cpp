#include "grader/report/autolab.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/report/points.h"
#include "grader/report/sums.h"
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
      scores[problem.name] = rounded_points(sums.won);
    } else if (sums.deferred + sums.infra > 0) {
      scores[problem.name] = nullptr;
    }
  }
  return scores;
}

double gflops(const Record& record) {
  const Item* timed = timed_item(record);
  if (timed == nullptr || !timed->metrics.contains(Metric::gflops)) return 0;
  return std::round(timed->metrics.at(Metric::gflops));
}

}  // namespace

std::string autolab_report(const std::vector<Record>& records) {
  std::vector<Problem> problems;
  Json scoreboard = {rounded_points(sums_of(records).won)};
  if (records.size() == 1) {
    problems = groups_of(records.front());
    scoreboard.push_back(gflops(records.front()));
  } else {
    for (const Record& record : records) {
      problems.push_back({record.lab, record.items});
      scoreboard.push_back(rounded_points(sums_of(record.items).won));
    }
  }
  const Json json = {{"scores", scores_of(problems)}, {"scoreboard", scoreboard}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
