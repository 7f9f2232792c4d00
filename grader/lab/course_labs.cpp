#include "grader/lab/course_labs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "grader/lab/course_keys.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_of(const std::map<std::string, Threshold::Range>& devices) {
  std::vector<std::string> names;
  for (const auto& [name, range] : devices) names.push_back(name);
  return names;
}

/// Writes the number with the fewest digits that read back as the same number.
void write_number(YAML::Emitter& out, const char* key, double number) {
  out << YAML::Key << key << YAML::Value << fmt::format("{}", number);
}

void write_late(YAML::Emitter& out, const LatePolicy& late) {
  out << YAML::Key << "late" << YAML::Value << YAML::Flow << YAML::BeginMap;
  write_number(out, "grace_minutes", late.grace_minutes);
  write_number(out, "per_day", late.per_day);
  write_number(out, "cap", late.cap);
  write_number(out, "closed_after_days", late.closed_after_days);
  if (late.budget_days > 0) write_number(out, "budget_days", late.budget_days);
  if (late.unknown_days) write_number(out, "unknown_days", *late.unknown_days);
  out << YAML::EndMap;
}

}  // namespace

std::vector<std::string> lab_ids(const fs::path& labs) {
  std::vector<std::string> ids;
  for (const fs::path& lab : find_labs(labs)) ids.push_back(lab.filename().string());
  return ids;
}

Expected<Course> course_of(const fs::path& labs) {
  const fs::path file = labs / "course.yaml";
  std::error_code ignored;
  return fs::exists(file, ignored) ? load_course(file, lab_ids(labs))
                                   : Expected<Course>(default_course(lab_ids(labs)));
}

std::optional<Error> keep_course_devices(const Course& course, Lab& lab) {
  if (course.devices.empty()) return std::nullopt;
  lab.devices = course.devices;
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    Threshold& threshold = lab.thresholds[i];
    if (threshold.is_modelled()) continue;
    std::map<std::string, Threshold::Range> counted;
    for (const std::string& device : course.devices) {
      const auto own = threshold.devices.find(device);
      if (own != threshold.devices.end()) counted[device] = own->second;
      if (own == threshold.devices.end() && threshold.range) counted[device] = *threshold.range;
    }
    if (counted.empty()) {
      return Error{
          .file = (lab.directory / "lab.yaml").string(),
          .message = fmt::format(
              "threshold {} ({}) is set for {}, but course.yaml counts {} alone; "
              "add a range for it, or the device to course.yaml",
              i + 1, to_string(threshold.metric), fmt::join(names_of(threshold.devices), ", "),
              fmt::join(course.devices, ", "))};
    }
    threshold.range.reset();
    threshold.devices = std::move(counted);
  }
  return std::nullopt;
}

Course part_of(const Course& course, const std::vector<std::string>& ids) {
  Course part = course;
  std::erase_if(part.labs,
                [&](const CourseLab& lab) { return std::ranges::count(ids, lab.id) == 0; });
  return part;
}

std::string to_yaml(const Course& course) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "title" << YAML::Value << YAML::DoubleQuoted << course.title << YAML::Auto;
  out << YAML::Key << "labs" << YAML::Value << YAML::BeginSeq;
  for (const CourseLab& lab : course.labs) {
    out << YAML::Flow << YAML::BeginMap << YAML::Key << "lab" << YAML::Value << lab.id;
    if (lab.due) out << YAML::Key << "due" << YAML::Value << format_time(*lab.due);
    if (lab.weight != 1) write_number(out, "weight", lab.weight);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
  out << YAML::Key << "attempts" << YAML::Value
      << kPolicyWords.at(static_cast<std::size_t>(course.attempts));
  write_late(out, course.late);
  if (!course.devices.empty()) {
    out << YAML::Key << "devices" << YAML::Value << YAML::Flow << course.devices;
  }
  if (course.gradescope.hidden_items != Visibility::visible) {
    out << YAML::Key << "gradescope" << YAML::Value << YAML::Flow << YAML::BeginMap;
    out << YAML::Key << "hidden_items" << YAML::Value
        << std::string(to_string(course.gradescope.hidden_items)) << YAML::EndMap;
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace tessera
