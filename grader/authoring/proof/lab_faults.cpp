#include "grader/authoring/proof/lab_faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "common/text.h"
#include "grader/judge/points/technique.h"

namespace tessera {

namespace {

/// A number in the table of points; "10 + 5" in a row makes two.
struct Row {
  std::string name;
  double points = 0;
};

/// The cells of "| correctness | 30 | what is asked |".
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 1;
  for (std::size_t end = line.find('|', begin); end != std::string::npos;
       begin = end + 1, end = line.find('|', begin))
    cells.emplace_back(trimmed(std::string_view(line).substr(begin, end - begin)));
  return cells;
}

std::vector<Row> table_of_points(const std::string& page) {
  std::vector<Row> rows;
  bool inside = false;
  for (const std::string& line : split_lines(page)) {
    const std::vector<std::string> cells =
        line.starts_with("|") ? cells_of(line) : std::vector<std::string>();
    inside = cells.size() >= 2 && (inside || (cells[0] == "item" && cells[1] == "points"));
    if (!inside || cells[1] == "points" || cells[1].starts_with("-")) continue;
    std::istringstream numbers(cells[1]);
    double points = 0;
    for (char plus = 0; numbers >> points; numbers >> plus) rows.push_back({cells[0], points});
  }
  return rows;
}

std::vector<Row> items_with_points(const Lab& lab) {
  std::vector<Row> items = {{"correctness", lab.correctness_points}};
  if (!lab.forbid.empty()) items.push_back({"checks", lab.checks_points});
  for (std::size_t i = 0; i < lab.technique.size(); ++i)
    items.push_back({fmt::format("technique/{}", i + 1), lab.technique[i].points});
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i)
    items.push_back({fmt::format("performance/{}", i + 1), lab.thresholds[i].points});
  return items;
}

/// How the table differs from lab.yaml, item by item in its order; "" if there is no table.
std::string table_fault(const Lab& lab, const std::string& page) {
  const std::vector<Row> rows = table_of_points(page);
  if (rows.empty()) return "";
  const std::vector<Row> items = items_with_points(lab);
  for (std::size_t i = 0; i < std::min(rows.size(), items.size()); ++i) {
    if (rows[i].points != items[i].points) {
      return fmt::format("{} has {:g} points, its row \"{}\" {:g}", items[i].name, items[i].points,
                         rows[i].name, rows[i].points);
    }
  }
  if (rows.size() < items.size())
    return fmt::format("the table of points has no row of {}", items[rows.size()].name);
  return rows.size() > items.size()
             ? fmt::format("\"{}\" is not an item of lab.yaml", rows[items.size()].name)
             : "";
}

/// Whether a time on the same device would count twice.
bool same_measurement(const Threshold& a, const Threshold& b) {
  if (a.metric != b.metric || a.over != b.over) return false;
  if (a.range && b.range) return true;
  return std::ranges::any_of(a.devices,
                             [&](const auto& entry) { return b.devices.contains(entry.first); });
}

}  // namespace

std::string reference_fault(const Record& record) {
  for (const Item& item : record.items) {
    if (item.status == Status::pass || item.status == Status::deferred) continue;
    return fmt::format("{} ({}): {} {}", item.id, item.title, to_string(item.status),
                       item.message.str());
  }
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (finding.severity == Severity::error)
        return fmt::format("{}: {} in line {}: {}", item.id, to_string(finding.kind), finding.line,
                           finding.message.str());
    }
  }
  return "";
}

std::string page_fault(const Lab& lab) {
  const std::filesystem::path page = lab.directory / "README.md";
  const Expected<std::string> text = read_file(page);
  if (!text) return text.error().str() + "; students read there what to do";
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return page.string() + ": is empty; students read there what to do";
  const std::string fault = table_fault(lab, *text);
  return fault.empty() ? "" : fmt::format("{}: {}", page.string(), fault);
}

std::vector<std::string> doubts(const Lab& lab) {
  std::vector<std::string> found;
  std::map<std::string, std::size_t> titles;
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const auto [first, fresh] = titles.try_emplace(lab.case_title(lab.cases[i]), i);
    if (!fresh)
      found.push_back(
          fmt::format("cases {} and {} are equal: {}", first->second + 1, i + 1, first->first));
  }
  for (std::size_t i = 0; i < lab.technique.size(); ++i) {
    const TechniqueItem& item = lab.technique[i];
    const auto meets = [&](double value) {
      return technique_item(item, {{item.metric, value}}).status == Status::pass;
    };
    if (item.naive && meets(*item.naive)) {
      found.push_back(fmt::format("technique/{} ({}): naive, {:g}, meets the requirement", i + 1,
                                  to_string(item.metric), *item.naive));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const TechniqueItem& other = lab.technique[j];
      if (other.metric == item.metric && other.at_most == item.at_most &&
          other.at_least == item.at_least)
        found.push_back(fmt::format("technique/{} and technique/{} are equal", j + 1, i + 1));
    }
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (same_measurement(lab.thresholds[j], lab.thresholds[i]))
        found.push_back(
            fmt::format("performance/{} and performance/{} measure the same", j + 1, i + 1));
    }
  }
  if (std::fmod(lab.max_points(), 100) != 0)
    found.push_back(fmt::format("the points add up to {:g}, not to 100", lab.max_points()));
  return found;
}

std::string solution_fault(const std::filesystem::path& solution) {
  namespace fs = std::filesystem;
  static const std::vector<std::string> kFiles{"kernel.cu", "hidden.yaml", "mutants.yaml",
                                               "README.md"};
  static const std::vector<std::string> kFolders{"wrong", "ignores", "right", "experiments"};
  std::set<fs::path> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(solution, ignored))
    names.insert(entry.path().filename());
  const auto known = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::count(list, name) > 0;
  };
  const auto unknown = [&](const fs::path& name, const std::vector<std::string>& list) {
    return fmt::format("{}: is read by nothing{}; known are {}", (solution / name).string(),
                       did_you_mean(name.filename().string(), list), fmt::join(list, ", "));
  };
  for (const fs::path& name : names) {
    const std::string word = name.string();
    if (word.starts_with('.') || word.ends_with('~')) continue;
    const bool folder = fs::is_directory(solution / name, ignored);
    if (!known(folder ? kFolders : kFiles, word)) return unknown(name, folder ? kFolders : kFiles);
    if (!folder) continue;
    for (const auto& entry : fs::directory_iterator(solution / name, ignored)) {
      const std::string inner = entry.path().filename().string();
      if (inner.starts_with('.') || inner.ends_with('~') || inner.ends_with(".cu")) continue;
      return fmt::format("{}: is read by nothing; expected kernels, *.cu", entry.path().string());
    }
  }
  return "";
}

}  // namespace tessera
