#include "grader/lab/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "grader/lab/course_keys.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxWeight = 1e6;
constexpr double kMaxGraceMinutes = 7 * 24 * 60;
constexpr double kMaxDays = 3660;
constexpr double kSecondsPerDay = 24 * 3600;
constexpr UnixTime kFirstDue = 1'577'836'800;  // 2020-01-01 00:00 UTC
constexpr UnixTime kLastDue = 4'102'444'800;   // 2100-01-01 00:00 UTC

/// 0.1 for "10 %" and "10%", or nothing.
std::optional<double> percentage(std::string text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.pop_back();
  while (text.ends_with(' ')) text.pop_back();
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number / 100;
}

/// Reads the sections in turn.
class CourseParser : private YamlReader {
 public:
  CourseParser(const fs::path& file, const std::vector<std::string>& lab_ids)
      : YamlReader(file), lab_ids_(lab_ids) {}

  Expected<Course> parse() {
    const Expected<YAML::Node> root = read_yaml(file_);
    if (!root) return root.error();
    YamlMapping map(file_, *root, kCourseKeys.what, kCourseKeys.keys);
    map.require("title");
    map.require("labs");
    course_.title = map.text("title").value_or("");
    course_.timezone = map.text("timezone").value_or("");
    if (keep(map)) return *error_;
    if (!course_.timezone.empty()) {
      const std::string fault = zone_fault(course_.timezone);
      if (!fault.empty()) fail(*map.find("timezone"), fault);
    }
    read_labs(*map.find("labs"));
    if (const auto node = map.find("attempts")) read_attempts(*node);
    if (const auto node = map.find("late")) read_late(*node);
    if (const auto node = map.find("extensions")) read_extensions(*node);
    if (const auto node = map.find("devices")) read_devices(*node);
    if (const auto node = map.find("gradescope")) read_gradescope(*node);
    if (error_) return *error_;
    return std::move(course_);
  }

 private:
  void read_labs(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "labs"))) {
      if (error_) return;
      read_lab(entry);
    }
    const bool counted =
        std::ranges::any_of(course_.labs, [](const CourseLab& lab) { return lab.weight > 0; });
    if (!counted) fail(node, "every 'weight' is 0; give one lab a weight above 0");
  }

  void read_lab(const YAML::Node& node) {
    YamlMapping map(file_, node, kCourseLabKeys.what, kCourseLabKeys.keys);
    map.require("lab");
    CourseLab lab;
    lab.weight = map.number("weight", 0, kMaxWeight).value_or(lab.weight);
    const std::optional<std::string> due = map.text("due");
    if (keep(map)) return;
    const YAML::Node id = *map.find("lab");
    lab.id = value_or_empty(read_word(file_, id, "lab", lab_ids_));
    const auto same = [&](const CourseLab& other) { return other.id == lab.id; };
    if (std::ranges::any_of(course_.labs, same)) {
      fail(id, fmt::format("the lab '{}' is given twice; remove one", lab.id));
    }
    if (due && !error_) lab.due = read_due(*map.find("due"), *due);
    course_.labs.push_back(std::move(lab));
  }

  std::optional<ZonedTime> read_due(const YAML::Node& node, const std::string& text) {
    const std::optional<ZonedTime> due = read_time(node, "due", text);
    if (due && last_due_ && due->time < last_due_->time) {
      fail(node, fmt::format("'due' is '{}', before {} of a lab that comes first; put the labs in "
                             "the order of their dates",
                             text, format_time(*last_due_)));
    }
    last_due_ = due ? due : last_due_;
    return due;
  }

  std::optional<ZonedTime> read_time(const YAML::Node& node, const std::string& key,
                                     const std::string& text) {
    const std::optional<ZonedTime> time = parse_zoned_time(text, course_.timezone);
    if (!time && course_.timezone.empty() && lacks_offset(text)) {
      fail(node, fmt::format("'{}' is '{}', without a time zone; add its offset, +02:00, or say "
                             "`timezone: Europe/Berlin` for the course",
                             key, text));
    } else if (!time) {
      fail(node, fmt::format("'{}' is '{}'; expected a time such as 2026-10-01 or "
                             "2026-10-01 23:59 +02:00",
                             key, text));
    } else if (time->time < kFirstDue || time->time >= kLastDue) {
      fail(node, fmt::format("'{}' is '{}'; expected a year from 2020 to 2099", key, text));
    }
    return time;
  }

  static bool lacks_offset(const std::string& text) {
    return parse_zoned_time(text + "Z").has_value();
  }

  void read_extensions(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "extensions"))) {
      YamlMapping map(file_, entry, kExtensionKeys.what, kExtensionKeys.keys);
      for (const std::string& key : kExtensionKeys.keys) map.require(key);
      Extension extension;
      extension.student = map.text("student").value_or("");
      const std::string until = map.text("until").value_or("");
      if (keep(map)) return;
      extension.lab = value_or_empty(read_word(file_, *map.find("lab"), "lab", lab_ids_));
      const auto time = read_time(*map.find("until"), "until", until);
      if (error_) return;
      extension.until = *time;
      course_.extensions.push_back(std::move(extension));
    }
  }

  void read_attempts(const YAML::Node& node) {
    const std::string word = value_or_empty(read_word(file_, node, "policy", kPolicyWords));
    if (error_) return;
    course_.attempts =
        static_cast<AttemptPolicy>(std::ranges::find(kPolicyWords, word) - kPolicyWords.begin());
  }

  void read_gradescope(const YAML::Node& node) {
    YamlMapping map(file_, node, kGradescopeKeys.what, kGradescopeKeys.keys);
    map.require("hidden_items");
    if (keep(map)) return;
    const std::string word =
        value_or_empty(read_word(file_, *map.find("hidden_items"), "visibility", kVisibilityWords));
    if (error_) return;
    course_.gradescope.hidden_items = static_cast<Visibility>(
        std::ranges::find(kVisibilityWords, word) - kVisibilityWords.begin());
  }

  void read_late(const YAML::Node& node) {
    YamlMapping map(file_, node, kLateKeys.what, kLateKeys.keys);
    LatePolicy& late = course_.late;
    late.grace_minutes = map.number("grace_minutes", 0, kMaxGraceMinutes).value_or(0);
    late.per_day = share(map, "per_day").value_or(late.per_day);
    late.cap = share(map, "cap").value_or(late.cap);
    late.closed_after_days = map.number("closed_after_days", 0, kMaxDays).value_or(0);
    late.budget_days = static_cast<double>(map.whole("budget_days", 0, 366).value_or(0));
    late.unknown_days = map.number("unknown_days", 0, kMaxDays);
    keep(map);
  }

  static std::optional<double> share(YamlMapping& map, const std::string& key) {
    const std::optional<YAML::Node> node = map.find(key);
    const bool scalar = node && node->IsScalar();
    const auto percent = scalar ? percentage(node->Scalar()) : std::nullopt;
    if (!percent) return map.number(key, 0, 1);
    if (!(*percent >= 0 && *percent <= 1)) {
      map.fail(key, fmt::format("'{}' is '{}'; expected 0 % to 100 %", key, node->Scalar()));
    }
    return percent;
  }

  void read_devices(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "devices"))) {
      if (!entry.IsScalar() || entry.Scalar().empty()) {
        return fail(entry, "expected the name of a device, such as NVIDIA H200");
      }
      course_.devices.push_back(entry.Scalar());
    }
  }

  const std::vector<std::string>& lab_ids_;
  std::optional<ZonedTime> last_due_;
  Course course_;
};

}  // namespace

std::string_view to_string(Visibility visibility) {
  return kVisibilityWords.at(static_cast<std::size_t>(visibility));
}

double LatePolicy::days_begun(double seconds_late) const {
  const double overdue = seconds_late - grace_minutes * 60;
  const bool closed = closed_after_days > 0 && overdue > closed_after_days * kSecondsPerDay;
  return overdue <= 0 || closed ? 0 : std::ceil(overdue / kSecondsPerDay);
}

double LatePolicy::penalty(double seconds_late, double max_points, double free_days) const {
  const double overdue = seconds_late - grace_minutes * 60;
  if (closed_after_days > 0 && overdue > closed_after_days * kSecondsPerDay) return max_points;
  const double days = std::max(0.0, days_begun(seconds_late) - free_days);
  return std::min(per_day * days, cap) * max_points;
}

Expected<Course> load_course(const fs::path& file, const std::vector<std::string>& lab_ids) {
  return CourseParser(file, lab_ids).parse();
}

Course default_course(const std::vector<std::string>& lab_ids) {
  Course course;
  for (const std::string& id : lab_ids) course.labs.push_back({.id = id});
  return course;
}

}  // namespace tessera
