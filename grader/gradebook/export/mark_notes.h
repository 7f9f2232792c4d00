// What somebody who hands marks on should know of them: to the system that reads a mark it looks
// like any other.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// How many lack points that could not be measured, whose points have to be judged, whose changes
/// by hand no longer count, how many are 0 because nothing could be graded, and late_notes();
/// nothing of what there is none of.
std::vector<std::string> mark_notes(const std::vector<Mark>& marks);

/// Whose work is late by an unknown time, and how to say by how much; nothing where there is none.
std::vector<std::string> late_notes(const std::vector<Mark>& marks);

/// That `without` of `all` marks have nothing to export yet; nothing for 0.
std::vector<std::string> without_note(std::size_t without, std::size_t all);

}  // namespace tessera
