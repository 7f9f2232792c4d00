#include "grader/experiment/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/text.h"

namespace tessera {

namespace fs = std::filesystem;

std::string to_string(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string Variant::label() const {
  return settings.empty() ? row->name : row->name + " " + to_string(settings);
}

std::optional<std::string> Variant::setting(const std::string& name) const {
  const auto found = std::ranges::find(settings, name, &Settings::value_type::first);
  return found == settings.end() ? std::nullopt : std::optional(found->second);
}

std::string Ratio::words() const {
  const char* quote = to.find(' ') == std::string::npos ? "" : "'";
  return fmt::format("times as fast as {}{}{}", quote, to, quote);
}

bool Experiment::measures(Metric metric) const {
  return std::ranges::count(measure, metric) > 0;
}

const Row* Experiment::row_called(const std::string& name) const {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

double Experiment::work(int shape) const {
  return operation->work(extents_of(shape));
}

Extents Experiment::extents_of(int shape) const {
  Extents extents;
  for (const std::string& name : operation->extents()) extents[name] = shape;
  return extents;
}

bool runs_kernel(const Row& row) {
  return row.runner == Runner::kernel || row.runner == Runner::reference;
}

std::vector<fs::path> find_experiments(const fs::path& labs) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(labs / "experiments", ignored)) {
    if (fs::is_regular_file(entry.path() / "experiment.yaml", ignored))
      found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

Expected<fs::path> find_experiment(const fs::path& labs, const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& folder : find_experiments(labs)) {
    names.push_back(folder.filename().string());
    if (names.back() == name) return folder;
  }
  const std::string place = (labs / "experiments").string();
  if (names.empty()) {
    return Error{.file = place,
                 .message = "no experiments here; one is a folder with an experiment.yaml"};
  }
  return Error{.file = place,
               .message = fmt::format("no experiment '{}'{}; there are {}", name,
                                      did_you_mean(name, names), fmt::join(names, ", "))};
}

Expected<std::vector<fs::path>> chosen_experiments(const std::vector<std::string>& names,
                                                   const fs::path& labs) {
  std::vector<fs::path> chosen;
  for (const std::string& name : names) {
    const Expected<fs::path> folder = find_experiment(labs, name);
    if (!folder) return folder.error();
    if (std::ranges::count(chosen, *folder) == 0) chosen.push_back(*folder);
  }
  if (!names.empty()) return chosen;
  chosen = find_experiments(labs);
  if (!chosen.empty()) return chosen;
  return find_experiment(labs, "").error();
}

std::vector<Variant> variants_of(const Experiment& experiment) {
  std::vector<Variant> all;
  for (const Row& row : experiment.rows) {
    std::vector<Variant> variants = {{&row, {}}};
    for (const auto& [name, values] : row.lists) {
      std::vector<Variant> longer;
      for (const Variant& variant : variants) {
        for (const std::string& value : values) {
          longer.push_back(variant);
          longer.back().settings.emplace_back(name, value);
        }
      }
      variants = std::move(longer);
    }
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

const Variant* matching_variant(const std::vector<Variant>& variants, const std::string& name,
                                const Settings& settings) {
  const Variant* match = nullptr;
  for (const Variant& variant : variants) {
    if (variant.row->name != name) continue;
    const bool fits = std::ranges::all_of(settings, [&](const auto& setting) {
      return variant.setting(setting.first).value_or(setting.second) == setting.second;
    });
    if (!fits) continue;
    if (match != nullptr) return nullptr;
    match = &variant;
  }
  return match;
}

}  // namespace tessera
