// A mark in words and numbers, the same in every export.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/gradebook/display_name.h"
#include "grader/gradebook/marks.h"

namespace tessera {

std::string_view to_string(MarkState state);

/// The number that other systems get, or nothing if there is no mark.
std::optional<double> exported_score(const Mark& mark);

/// "87.5", "16.6667", "100"; "" for nothing.
std::string points_cell(std::optional<double> points);

/// Why the mark is what it is, a line each: "Mark: 56 of 100 points", "70 points won", "-14
/// points: late (handed in ..., due ...)", "+5 points by hand".
std::vector<std::string> mark_lines(const Mark& mark, const Course& course);

/// mark_lines() as one text, with line ends.
std::string mark_text(const Mark& mark, const Course& course);

/// When the lab is due, "2026-10-01T21:59:03Z", or "".
std::string due_date(const Course& course, const std::string& lab);

/// "03-tiled" -> "03".
std::string lab_number(const std::string& lab);

struct PersonName {
  std::string first;
  std::string last;
};

/// "Doe, Jane" and "Jane Doe" are split alike; a single word is the last name.
PersonName split_name(const std::string& name);

/// Marks of one student, in the order of `marks`.
struct StudentMarks {
  BookStudent student;
  std::vector<const Mark*> marks;
};

/// The marks by student, in the order of `marks`, which must outlive the result.
std::vector<StudentMarks> by_student(const std::vector<Mark>& marks);

/// Labs that occur, in the order of `marks`.
std::vector<std::string> labs_of(const std::vector<Mark>& marks);

/// "Doe, Jane; Roe, Max; and 12 more".
std::string listed(const std::vector<std::string>& names, std::size_t most = 8);

}  // namespace tessera
