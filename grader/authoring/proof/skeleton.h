// A source for three texts: the reference, in which marks enclose what a student must write; the
// skeleton, which is the rest; and the clean solution, which is everything but the marks.
//
//     // BEGIN SOLUTION: YOUR CODE HERE
//     //: //   1. an array in shared memory
//     __shared__ int tile[BLOCK];
//     // END SOLUTION
//
// becomes, with the indentation of the marks,
//
//     // YOUR CODE HERE
//     //   1. an array in shared memory
//
// A mark stands alone on its line. The text after the colon becomes a comment; without a colon
// there is no comment. Between the marks a line "//: TEXT" becomes TEXT and "//:" an empty line;
// all other lines are the solution and are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The skeleton of the marked reference `source`; line ends, "\n" or "\r\n", stay as they are.
/// Errors name `file` and the line: no marks in the source, a mark inside another, a mark that is
/// not closed or not opened, a marked part without a solution, a line that looks like a misspelt
/// mark, replacement text outside marks or with a backslash at its end.
Expected<std::string> skeleton_of(std::string_view source, const std::string& file);

/// The source as a lecturer shows it, without marks and replacement text. The same errors.
Expected<std::string> clean_solution(std::string_view source, const std::string& file);

/// The lines of the marked parts in order, without surrounding space: what students must not get.
/// Empty lines and replacement text are left out. The same errors.
Expected<std::vector<std::string>> solution_lines(std::string_view source, const std::string& file);

}  // namespace tessera
