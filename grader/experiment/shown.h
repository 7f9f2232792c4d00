// Figures and tables as text.
#pragma once

#include <string>

#include "grader/experiment/table.h"

namespace tessera {

/// The number with four digits: "0.0143", "2.111", "40.81", "289.7", "4,506"; whole numbers whole.
std::string shown_number(double number);

/// A value's number or word; with `whole` a ratio has its interval, and the words "no difference"
/// if that holds 1.
std::string shown(const Value& value, bool whole);

}  // namespace tessera
