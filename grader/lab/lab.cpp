#include "grader/lab/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/lab/lab_parser.h"

namespace tessera {

namespace fs = std::filesystem;

namespace {

double product(const std::vector<Factor>& factors, const Case& test_case) {
  double result = 1;
  for (const Factor& factor : factors) {
    const auto extent = test_case.extents.find(factor.name);
    const double value =
        std::max(1, extent != test_case.extents.end() ? extent->second
                                                      : test_case.parameters.at(factor.name));
    result = factor.divides ? result / value : result * value;
  }
  return result;
}

}  // namespace

std::string_view Lab::element_word() const {
  if (inputs == Storage::bfloat16) return "bfloat16";
  if (inputs == Storage::float16) return "float16";
  return to_string(element);
}

bool Lab::forbids(FindingKind kind) const {
  const auto names = [this](FindingKind named) { return std::ranges::count(forbid, named) > 0; };
  return names(kind) || (about(kind).asynchronous && names(FindingKind::race));
}

std::size_t Lab::largest_case() const {
  std::size_t largest = 0;
  double most = -1;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double work = operation->work(cases[i].extents);
    if (cases[i].hidden || work < most) continue;
    most = work;
    largest = i;
  }
  return largest;
}

std::vector<std::size_t> Lab::counted_cases() const {
  std::vector<std::size_t> counted = {largest_case()};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].counted.empty() && i != counted.front()) counted.push_back(i);
  }
  return counted;
}

TechniqueItem Lab::scaled(const TechniqueItem& item, const Case& test_case) const {
  const double ratio =
      product(item.scales_with, test_case) / product(item.scales_with, cases[largest_case()]);
  TechniqueItem result = item;
  if (result.at_least) result.at_least = std::floor(*result.at_least * ratio);
  if (result.at_most) result.at_most = std::ceil(*result.at_most * ratio);
  return result;
}

std::string padding_yaml(const Operation& operation, const Case& test_case) {
  if (test_case.padding.empty()) return "";
  const int first = test_case.padding.begin()->second;
  const bool alike = test_case.padding.size() == operation.operands(test_case.extents).size() &&
                     std::ranges::all_of(test_case.padding, [first](const auto& named) {
                       return named.second == first;
                     });
  if (alike) return std::to_string(first);
  std::vector<std::string> parts;
  for (const auto& [name, elements] : test_case.padding)
    parts.push_back(fmt::format("{}: {}", name, elements));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string Lab::case_title(const Case& test_case) const {
  std::string title;
  for (const std::string& name : operation->extents()) {
    title += fmt::format("{}={} ", name, test_case.extents.at(name));
  }
  for (const std::string& name : parameters) {
    title += fmt::format("{}={} ", name, test_case.parameters.at(name));
  }
  title += test_case.data_name;
  if (!test_case.padding.empty()) title += " padding=" + padding_yaml(*operation, test_case);
  return title;
}

double Lab::max_points() const {
  double points = correctness_points + checks_points;
  for (const TechniqueItem& item : technique) points += item.points;
  for (const Threshold& threshold : thresholds) points += threshold.points;
  return points;
}

Expected<Lab> load_lab(const fs::path& directory, const fs::path& hidden, const fs::path& datasets,
                       const std::vector<std::string>& cards) {
  Lab lab;
  lab.directory = directory.has_filename() ? directory : directory.parent_path();
  lab.id = lab.directory.filename().string();
  if (auto error = parse_lab(lab.directory / "lab.yaml", {datasets, cards}, lab)) return *error;
  if (!hidden.empty() && fs::exists(hidden)) {
    if (auto error = parse_hidden(hidden, datasets, lab)) return *error;
  }
  return lab;
}

}  // namespace tessera
