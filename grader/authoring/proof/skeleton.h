// One source for three texts: the reference marks what a student must write; the skeleton is what
// remains, and the clean solution is all but the marks.
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
// there is none. Between the marks a line "//: TEXT" becomes TEXT, "//:" an empty line, and every
// other line is the solution: it is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The skeleton of the marked reference `source`; line ends, "\n" or "\r\n", stay as they are.
/// Errors name `file` and the line: a source without marks, a mark inside another, one that is not
/// closed or not opened, a marked part with no solution in it, a line that was meant as a mark but
/// is none, replacement text outside of marks or with a backslash at its end.
Expected<std::string> skeleton_of(std::string_view source, const std::string& file);

/// The same source as a lecturer shows it: without marks and replacement text. The same errors.
Expected<std::string> clean_solution(std::string_view source, const std::string& file);

/// The lines of the marked parts in their order, without the space around them: what must not get
/// out. Empty lines and replacement text are not among them. The same errors.
Expected<std::vector<std::string>> solution_lines(std::string_view source, const std::string& file);

}  // namespace tessera
