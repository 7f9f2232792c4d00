#include <gtest/gtest.h>

#include "grader/lab/course.h"

namespace tessera {
namespace {

std::string in_utc(const std::string& text) {
  const std::optional<UnixTime> time = parse_time(text);
  return time ? format_time(*time) : "no time";
}

TEST(ParseTime, CountsFromTheEpoch) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_time("2001-09-09T01:46:40Z"), 1'000'000'000);
  EXPECT_EQ(format_time(1'000'000'000), "2001-09-09T01:46:40Z");
}

TEST(ParseTime, KnowsTheUsualForms) {
  EXPECT_EQ(in_utc("2026-10-01T21:59:03Z"), "2026-10-01T21:59:03Z");
  EXPECT_EQ(in_utc("2026-10-01 21:59:03Z"), "2026-10-01T21:59:03Z");
  EXPECT_EQ(in_utc("2026-10-01 23:59 +02:00"), "2026-10-01T21:59:00Z");
  EXPECT_EQ(in_utc("2026-10-01T23:59:00+02:00"), "2026-10-01T21:59:00Z");
  EXPECT_EQ(in_utc("2026-10-01T23:59:00.999-0530"), "2026-10-02T05:29:00Z");
  EXPECT_EQ(in_utc("2026-10-01 23:59 +02"), "2026-10-01T21:59:00Z");
  EXPECT_EQ(in_utc("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00Z");
  EXPECT_EQ(in_utc("2026-12-31 23:30 -01:00"), "2027-01-01T00:30:00Z");
}

std::string in_berlin(const std::string& text) {
  const std::optional<ZonedTime> time = parse_zoned_time(text, "Europe/Berlin");
  return time ? format_time(*time) : "no time";
}

TEST(ZonedTime, WithoutAnOffsetIsOnTheZonesClock) {
  EXPECT_EQ(in_berlin("2026-10-01 23:59"), "2026-10-01 23:59 +02:00");
  EXPECT_EQ(in_berlin("2026-12-01"), "2026-12-01 23:59:59 +01:00");
  EXPECT_EQ(in_berlin("2026-10-01 23:59 -05:00"), "2026-10-01 23:59 -05:00");
}

TEST(ZonedTime, AnHourThatTheClocksSkipIsNoTime) {
  EXPECT_EQ(in_berlin("2026-03-29 02:30"), "no time");
  EXPECT_EQ(in_berlin("2026-03-29 03:30"), "2026-03-29 03:30 +02:00");
}

TEST(ZonedTime, WithoutOffsetAndZoneIsNoTime) {
  EXPECT_EQ(in_utc("2026-10-01 23:59"), "no time");
  EXPECT_EQ(in_utc("2026-10-01"), "no time");
}

TEST(Zone, UnknownNamesOfferTheNearest) {
  EXPECT_EQ(zone_fault("Europe/Berlin"), "");
  EXPECT_EQ(zone_fault("UTC"), "");
  EXPECT_EQ(
      zone_fault("Europe/Berln"),
      "unknown time zone 'Europe/Berln' (did you mean 'Europe/Berlin'?); expected a name such "
      "as Europe/Berlin");
  EXPECT_NE(zone_fault("../../../etc/passwd"), "");
  EXPECT_NE(zone_fault("Europe"), "");
}

std::string rewritten(const std::string& text) {
  const std::optional<ZonedTime> time = parse_zoned_time(text);
  return time ? format_time(*time) : "no time";
}

TEST(ZonedTime, KeepsItsOffset) {
  for (const char* text : {"2026-10-01 23:59 +02:00", "2026-12-31 23:30 -05:30",
                           "2026-10-01 00:00 +00:00", "2026-10-01 23:59:59 +01:00"}) {
    EXPECT_EQ(rewritten(text), text);
  }
  EXPECT_EQ(rewritten("2026-10-01T21:59:03.5Z"), "2026-10-01 21:59:03 +00:00");
}

TEST(ParseTime, OtherTextIsNoTime) {
  for (const char* text : {"",
                           "soon",
                           "2026",
                           "2026-10",
                           "2026-13-01",
                           "2026-02-29",
                           "2026-10-01T",
                           "2026-10-01 ",
                           "2026-10-01 24:00",
                           "2026-10-01 9:00",
                           "2026-10-01 09:60",
                           "2026-10-01 09:00:60",
                           "2026-10-01 09:00:00.",
                           "2026-10-01 09:00 +25:00",
                           "2026-10-01 09:00 +02:",
                           "26-10-01",
                           "2026-10-01 09:00 Z and more",
                           "01.10.2026",
                           "10/01/2026",
                           "2026-10-01 09:00 CET",
                           "+026-10-01",
                           " 2026-10-01"}) {
    EXPECT_EQ(in_utc(text), "no time") << text;
  }
}

}  // namespace
}  // namespace tessera
