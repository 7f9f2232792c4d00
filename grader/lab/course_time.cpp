#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "common/text.h"
#include "grader/lab/course.h"

namespace tessera {
namespace {

namespace chrono = std::chrono;
namespace fs = std::filesystem;

/// Takes pieces off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool skip(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char digit : rest_.substr(0, digits)) {
      if (!is_digit(digit)) return std::nullopt;
      value = value * 10 + (digit - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  bool skip_digits() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
    return rest_.size() < before;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view rest_;
};

std::optional<chrono::year_month_day> scan_date(Scanner& text) {
  const auto year = text.number(4);
  if (!year || !text.skip('-')) return std::nullopt;
  const auto month = text.number(2);
  if (!month || !text.skip('-')) return std::nullopt;
  const auto day = text.number(2);
  if (!day) return std::nullopt;
  const chrono::year_month_day date{chrono::year(*year),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return date;
}

/// Reads seconds since midnight: "23:59", "23:59:03", "23:59:03.123".
std::optional<int> scan_clock(Scanner& text) {
  const auto hour = text.number(2);
  if (!hour || *hour > 23 || !text.skip(':')) return std::nullopt;
  const auto minute = text.number(2);
  if (!minute || *minute > 59) return std::nullopt;
  std::optional<int> second = 0;
  if (text.skip(':')) {
    second = text.number(2);
    if (!second || *second > 59) return std::nullopt;
    if (text.skip('.') && !text.skip_digits()) return std::nullopt;
  }
  return (*hour * 60 + *minute) * 60 + *second;
}

/// Reads the seconds by which a clock is ahead of UTC: "Z", "+02:00", "-0530", "+02".
std::optional<int> scan_offset(Scanner& text) {
  if (text.skip('Z')) return 0;
  const bool behind = text.skip('-');
  if (!behind && !text.skip('+')) return std::nullopt;
  const auto hours = text.number(2);
  if (!hours || *hours > 23) return std::nullopt;
  std::optional<int> minutes = 0;
  if (text.skip(':') || !text.done()) minutes = text.number(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const int seconds = (*hours * 60 + *minutes) * 60;
  return behind ? -seconds : seconds;
}

constexpr const char* kZones = "/usr/share/zoneinfo";

/// Sets the time zone of the process to `zone` during its life.
class ClockOf {
 public:
  explicit ClockOf(const std::string& zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", (std::string(":") + kZones + "/" + zone).c_str(), 1);
    tzset();
  }
  ~ClockOf() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }
  ClockOf(const ClockOf&) = delete;
  ClockOf& operator=(const ClockOf&) = delete;

 private:
  std::optional<std::string> before_;
};

/// The time in `zone`; nothing in an hour that the zone's clocks skip.
std::optional<ZonedTime> time_in(const std::string& zone, const chrono::year_month_day& date,
                                 int seconds) {
  const ClockOf clock(zone);
  std::tm parts{};
  parts.tm_year = static_cast<int>(date.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.tm_hour = seconds / 3600;
  parts.tm_min = seconds / 60 % 60;
  parts.tm_sec = seconds % 60;
  parts.tm_isdst = -1;
  const std::tm wanted = parts;
  const std::time_t time = std::mktime(&parts);
  if (parts.tm_hour != wanted.tm_hour || parts.tm_min != wanted.tm_min) return std::nullopt;
  return ZonedTime{time, static_cast<int>(parts.tm_gmtoff)};
}

/// The parts of a moment, for writing it.
class Moment {
 public:
  explicit Moment(UnixTime time)
      : day_(chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(time)))),
        clock_(chrono::sys_seconds(chrono::seconds(time)) - day_) {}

  std::string date() const {
    const chrono::year_month_day date(day_);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  }
  std::string minute() const {
    return fmt::format("{:02}:{:02}", clock_.hours().count(), clock_.minutes().count());
  }
  std::int64_t second() const { return clock_.seconds().count(); }

 private:
  chrono::sys_days day_;
  chrono::hh_mm_ss<chrono::seconds> clock_;
};

std::string offset_text(int seconds) {
  const int minutes = std::abs(seconds) / 60;
  return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace

std::string zone_fault(const std::string& zone) {
  const fs::path zones = kZones;
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(zones, ignored)) {
    const std::string name = entry.path().lexically_relative(zones).string();
    const bool area = name[0] >= 'A' && name[0] <= 'Z' && name.find('.') == std::string::npos;
    if (area && entry.is_regular_file()) names.push_back(name);
  }
  if (names.empty())
    return fmt::format("no time zones in {}; install tzdata, or give each date an offset", kZones);
  if (std::ranges::count(names, zone) > 0) return "";
  return fmt::format("unknown time zone '{}'{}; expected a name such as Europe/Berlin", zone,
                     did_you_mean(zone, names));
}

std::optional<ZonedTime> parse_zoned_time(const std::string& text, const std::string& zone) {
  Scanner rest(text);
  const auto date = scan_date(rest);
  if (!date) return std::nullopt;
  std::optional<int> seconds = 24 * 3600 - 1;
  const bool blank = rest.skip(' ');
  if (blank || rest.skip('T')) {
    seconds = scan_clock(rest);
    if (!seconds) return std::nullopt;
    rest.skip(' ');
  }
  if (rest.done()) return zone.empty() ? std::nullopt : time_in(zone, *date, *seconds);
  const auto offset = scan_offset(rest);
  if (!offset || !rest.done()) return std::nullopt;
  const UnixTime midnight =
      chrono::duration_cast<chrono::seconds>(chrono::sys_days(*date).time_since_epoch()).count();
  return ZonedTime{midnight + *seconds - *offset, *offset};
}

std::optional<UnixTime> parse_time(const std::string& text) {
  const std::optional<ZonedTime> zoned = parse_zoned_time(text);
  return zoned ? std::optional(zoned->time) : std::nullopt;
}

std::string format_time(UnixTime time) {
  const Moment moment(time);
  return fmt::format("{}T{}:{:02}Z", moment.date(), moment.minute(), moment.second());
}

std::string format_time(const ZonedTime& time) {
  const Moment moment(time.time + time.offset);
  const std::string second = moment.second() == 0 ? "" : fmt::format(":{:02}", moment.second());
  return fmt::format("{} {}{} {}", moment.date(), moment.minute(), second,
                     offset_text(time.offset));
}

}  // namespace tessera
