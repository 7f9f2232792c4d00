// README.md of a handout: which labs there are, when they are due, how much they count.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/course.h"

namespace tessera {

struct HandoutLab {
  std::string id;
  std::string title;
  bool graded = true;  // if not, it is there because another lab is measured against it
};

struct HandoutReadme {
  std::string title;
  std::vector<HandoutLab> labs;  // in the order of the page; the first is graded
  Course course;                 // due dates, weights, the late policy
};

/// `page` with the title for @TITLE@, the first lab's number for @NUMBER@, and for the line @LABS@
/// a table of the graded labs, what late work costs if any of them has a due date, and the labs
/// that are not graded.
std::string filled_in(std::string page, const HandoutReadme& readme);

}  // namespace tessera
