// course.yaml: the labs of a course in order, when they are due, what late costs, which attempt
// counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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
/// last second; a time without an offset is read on the clocks of `zone`, "Europe/Berlin"; parts of
/// a second are dropped. Nothing if the text is no time, has no offset and `zone` is "", or is an
/// hour that `zone` skips. `zone` is one that zone_fault() knows. Not for two threads at once.
std::optional<ZonedTime> parse_zoned_time(const std::string& text, const std::string& zone = "");

/// Why `zone` is no time zone of this machine, with the nearest name; or "".
std::string zone_fault(const std::string& zone);

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
  /// Late days of a student that cost nothing, spent lab by lab in the course's order. They do not
  /// keep a lab open.
  double budget_days = 0;
  /// What counts where work is known to be late, but not by how much; nothing: no penalty until
  /// somebody says how late it was.
  std::optional<double> unknown_days = {};

  /// Whether being late can cost anything.
  bool costs() const { return (per_day > 0 && cap > 0) || closed_after_days > 0; }

  /// Days that `seconds_late` has begun after the grace; 0 where it is not late or comes too late.
  double days_begun(double seconds_late) const;

  /// Points that `seconds_late` costs of `max_points`, where `free_days` of it cost nothing; below
  /// 0 is early.
  double penalty(double seconds_late, double max_points, double free_days = 0) const;
};

struct CourseLab {
  std::string id = "";                // "03-tiled"
  double weight = 1;                  // in the course's total
  std::optional<ZonedTime> due = {};  // none: never late
};

/// One student's own due date for one lab.
struct Extension {
  std::string student;  // an email, a login, a number or a name, as a whole
  std::string lab;
  ZonedTime until;
};

/// When students see a test on Gradescope, in its words.
enum class Visibility { visible, after_due_date, after_published, hidden };

std::string_view to_string(Visibility visibility);

struct GradescopePolicy {
  Visibility hidden_items = Visibility::visible;  // of hidden cases
};

struct Course {
  std::string title;
  std::string timezone;         // of due dates without an offset; "": each has one
  std::vector<CourseLab> labs;  // in the course's order
  AttemptPolicy attempts = AttemptPolicy::best;
  LatePolicy late;
  std::vector<Extension> extensions;
  std::vector<std::string> devices;  // cards whose thresholds count
  GradescopePolicy gradescope;
};

/// Reads course.yaml as strictly as a lab.yaml is read (unknown keys with the nearest known one,
/// types, ranges, with file, line and column). Labs must be among `lab_ids`, each at most once; due
/// dates from 2020 to 2099, none before that of a lab that comes first.
Expected<Course> load_course(const std::filesystem::path& file,
                             const std::vector<std::string>& lab_ids);

/// The course without a file: all labs with equal weights, never late, best attempt.
Course default_course(const std::vector<std::string>& lab_ids);

}  // namespace tessera
