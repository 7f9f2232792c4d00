// course.yaml: the labs of a course in order, when they are due, what late work costs, and which
// attempt counts.
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

/// A moment, and the offset of the clock that shows it.
struct ZonedTime {
  UnixTime time = 0;
  int offset = 0;  // seconds by which the clock is ahead of UTC

  bool operator==(const ZonedTime&) const = default;
};

/// "2026-10-01T21:59:03Z", "2026-10-01 23:59 +02:00", "2026-10-01" -> time. A date alone means its
/// last second; a time without an offset is local time in `zone`, "Europe/Berlin"; fractions of a
/// second are dropped. Nothing if the text is not a time, has no offset while `zone` is "", or is
/// in an hour that `zone` skips. zone_fault() must accept `zone`. Not for two threads at once.
std::optional<ZonedTime> parse_zoned_time(const std::string& text, const std::string& zone = "");

/// Why `zone` is not a time zone of this machine, with the nearest name; or "".
std::string zone_fault(const std::string& zone);

std::optional<UnixTime> parse_time(const std::string& text);
std::string format_time(UnixTime time);  // "2026-10-01T21:59:03Z"

/// "2026-10-01 23:59 +02:00", with seconds unless they are 0; parse_zoned_time() reads it back.
std::string format_time(const ZonedTime& time);

/// Which of a student's attempts at a lab counts. active: an attempt from the last download that
/// held any, for systems whose downloads hold only the active attempt.
enum class AttemptPolicy { best, last, active };

/// What handing in late costs. Late days begin when the grace has passed: with 10 minutes of grace
/// the second day begins 24 hours and 10 minutes after the lab was due.
struct LatePolicy {
  double grace_minutes = 0;      // being late by no more than this costs nothing
  double per_day = 0;            // share of the lab's points for every day begun, 0 to 1
  double cap = 1;                // the largest share of the lab's points that lateness can cost
  double closed_after_days = 0;  // later work earns nothing, whatever the cap; 0: never closed
  /// Each student's late days that cost nothing, spent lab by lab in the course's order. They do
  /// not keep a lab open.
  double budget_days = 0;
  /// The days that count if work is known to be late, but not by how much; nothing: no penalty
  /// until the staff say how late it was.
  std::optional<double> unknown_days = {};

  /// Whether being late can cost anything.
  bool costs() const { return (per_day > 0 && cap > 0) || closed_after_days > 0; }

  /// The days begun after the grace; 0 if the work is not late or comes too late.
  double days_begun(double seconds_late) const;

  /// The points of `max_points` that `seconds_late` costs if `free_days` of it cost nothing;
  /// negative seconds are early.
  double penalty(double seconds_late, double max_points, double free_days = 0) const;
};

struct CourseLab {
  std::string id = "";                // "03-tiled"
  double weight = 1;                  // in the course's total
  std::optional<ZonedTime> due = {};  // nothing: never late
};

/// A student's own due date for a lab.
struct Extension {
  std::string student;  // an email, a login, a number or a full name
  std::string lab;
  ZonedTime until;
};

/// When students see a test on Gradescope, in Gradescope's words.
enum class Visibility { visible, after_due_date, after_published, hidden };

std::string_view to_string(Visibility visibility);

struct GradescopePolicy {
  Visibility hidden_items = Visibility::visible;  // for hidden cases
};

struct Course {
  std::string title;
  std::string timezone;         // for due dates without an offset; "": each has an offset
  std::vector<CourseLab> labs;  // in the course's order
  AttemptPolicy attempts = AttemptPolicy::best;
  LatePolicy late;
  std::vector<Extension> extensions;
  std::vector<std::string> devices;  // cards whose thresholds count
  GradescopePolicy gradescope;
};

/// Reads course.yaml as strictly as a lab.yaml is read (unknown keys with the nearest known key,
/// types, ranges, with file, line and column). Labs must be among `lab_ids`, each at most once; due
/// dates are from 2020 to 2099, and no lab is due before a lab above it.
Expected<Course> load_course(const std::filesystem::path& file,
                             const std::vector<std::string>& lab_ids);

/// The course without a file: all labs with equal weights, never late, best attempt.
Course default_course(const std::vector<std::string>& lab_ids);

}  // namespace tessera
