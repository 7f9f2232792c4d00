#include "grader/lab/lab.h"

#include <fmt/format.h>

#include "grader/lab/lab_parser.h"

namespace tessera {

namespace fs = std::filesystem;

std::string Lab::case_title(const Case& one) const {
  std::string title;
  for (const std::string& name : operation->extents()) {
    title += fmt::format("{}={} ", name, one.extents.at(name));
  }
  for (const std::string& name : parameters) {
    title += fmt::format("{}={} ", name, one.parameters.at(name));
  }
  title += one.data_name;
  if (one.pitch > 0) title += fmt::format(" pitch={}", one.pitch);
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
