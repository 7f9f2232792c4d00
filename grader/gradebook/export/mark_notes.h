// Notes on marks for the person who hands them on: the system that reads them sees only numbers.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// Notes on marks that lack points which could not be measured, have points to be judged, have
/// changes by hand that no longer count, or are 0 because nothing could be graded, and
/// late_notes(). A note that would list no mark is left out.
std::vector<std::string> mark_notes(const std::vector<Mark>& marks);

/// A note on work that is late by an unknown time, and how to set the time; none if there is no
/// such work.
std::vector<std::string> late_notes(const std::vector<Mark>& marks);

/// The note that `without` of `all` marks have nothing to export yet; none for 0.
std::vector<std::string> without_note(std::size_t without, std::size_t all);

}  // namespace tessera
