// A course and the folder of labs that it is made of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/course.h"
#include "grader/lab/lab.h"

namespace tessera {

/// "01-naive" and so on, of the labs in a folder.
std::vector<std::string> lab_ids(const std::filesystem::path& labs);

/// What labs/course.yaml declares; without that file default_course of the labs there.
Expected<Course> course_of(const std::filesystem::path& labs);

/// Leaves of the lab's thresholds only what holds on the course's devices; all of it where the
/// course names none. A modelled time stays as it is: no card measures it. The Error is for a
/// threshold that is set for other cards alone.
std::optional<Error> keep_course_devices(const Course& course, Lab& lab);

/// The part of the course that `ids` are, in the course's order.
Course part_of(const Course& course, const std::vector<std::string>& ids);

/// The course as the text of a course.yaml, which load_course reads back: without the extensions,
/// which concern the staff and one student.
std::string to_yaml(const Course& course);

}  // namespace tessera
