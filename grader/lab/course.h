// course.yaml: the labs of a course in order, when they are due, what late costs, which attempt
// counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Seconds since 1970-01-01 00:00 UTC.
using UnixTime = std::int64_t;

/// A moment, and the clock on which somebody reads it.
struct ZonedTime {
  UnixTime time = 0;
  int offset = 0;  // seconds that the clock is ahead of UTC

  bool operator==(const ZonedTime&) const = default;
};

/// "2026-10-01T21:59:03Z", "2026-10-01 23:59 +02:00", "2026-10-01" -> time. A date alone is its
/// last second; a time without an offset is this machine's local time; parts of a second are
/// dropped. Nothing where the text is no time.
std::optional<ZonedTime> parse_zoned_time(const std::string& text);
std::optional<UnixTime> parse_time(const std::string& text);
std::string format_time(UnixTime time);  // "2026-10-01T21:59:03Z"

/// "2026-10-01 23:59 +02:00", with seconds where there are any; parse_zoned_time reads it back.
std::string format_time(const ZonedTime& time);

/// Which of a student's attempts at a lab counts. active: one of the last download that held any of
/// them, as systems whose downloads hold the active attempt alone need it.
enum class AttemptPolicy { best, last, active };

/// What handing in late costs. Its clock starts when the grace has passed: with 10 minutes of grace
/// the second day begins 24 hours and 10 minutes after the lab was due.
struct LatePolicy {
  double grace_minutes = 0;      // late by this or less costs nothing
  double per_day = 0;            // share of the lab's points for every day begun, 0 to 1
  double cap = 1;                // share of the lab's points that lateness can cost at most
  double closed_after_days = 0;  // later than this earns nothing, whatever the cap; 0: never closed
  /// What counts where work is known to be late, but not by how much; nothing: no penalty until
  /// somebody says how late it was.
  std::optional<double> unknown_days = {};

  /// Whether being late can cost anything.
  bool costs() const { return (per_day > 0 && cap > 0) || closed_after_days > 0; }

  /// Points that `seconds_late` costs of `max_points`; below 0 is early.
  double penalty(double seconds_late, double max_points) const;
};

struct CourseLab {
  std::string id = "";                // "03-tiled"
  double weight = 1;                  // in the course's total
  std::optional<ZonedTime> due = {};  // none: never late
};

struct Course {
  std::string title;
  std::vector<CourseLab> labs;  // in the course's order
  AttemptPolicy attempts = AttemptPolicy::best;
  LatePolicy late;
  std::vector<std::string> devices;  // cards whose thresholds count
};

/// Reads course.yaml as strictly as a lab.yaml is read (unknown keys with the nearest known one,
/// types, ranges, with file, line and column). Labs must be among `lab_ids`, each at most once.
Expected<Course> load_course(const std::filesystem::path& file,
                             const std::vector<std::string>& lab_ids);

/// The course without a file: all labs with equal weights, never late, best attempt.
Course default_course(const std::vector<std::string>& lab_ids);

}  // namespace tessera
