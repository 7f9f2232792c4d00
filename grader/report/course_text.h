// What a course adds to the results of its labs: the weighted total, and what is due next.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/lab/course.h"

namespace tessera {

/// "GPU programming: 83.4 % of what could be measured, by the weights of the course", and the lab
/// that is due next after `now` with its time, in this machine's time zone. "" for a course without
/// a title, which has no course.yaml.
std::string course_text(const Course& course, const std::vector<Record>& records, UnixTime now);

}  // namespace tessera
