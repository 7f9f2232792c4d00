// A mark in a cell of a table: a number, and letters for what a reader has to know about it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// "70.0"; if there is no number, "-" (missing), "?" (waiting) or "!" (infra).
std::string mark_number(const Mark& mark);

/// "LD": a letter for late, stale, deferred points, changed by hand, ungradable.
std::string mark_letters(const Mark& mark);

/// The letters that these marks have, with their meanings; those in place of a number come first.
std::vector<std::pair<char, std::string_view>> letters_of(const std::vector<Mark>& marks);

}  // namespace tessera
