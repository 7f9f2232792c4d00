// A course and the folder of its labs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/course.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The ids of the labs in a folder: "01-naive" and so on.
std::vector<std::string> lab_ids(const std::filesystem::path& labs);

/// The course that labs/course.yaml declares; without that file the default_course() of the labs.
Expected<Course> course_of(const std::filesystem::path& labs);

/// Removes from the lab's thresholds what does not hold on the course's devices; nothing if the
/// course names none. A modelled time stays as it is, since no card measures it. Error: a threshold
/// is set only for other cards.
std::optional<Error> keep_course_devices(const Course& course, Lab& lab);

/// The part of the course with the labs `ids`, in the course's order.
Course part_of(const Course& course, const std::vector<std::string>& ids);

/// The course as the text of a course.yaml, which load_course() reads back. Extensions are left
/// out: they concern only the staff and a student.
std::string to_yaml(const Course& course);

}  // namespace tessera
