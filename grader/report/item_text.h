// An item for systems that show a text beside each test.
#pragma once

#include <string>

#include "grader/judge/points/record.h"

namespace tessera {

/// Everything about an item in 80 columns of plain text: whose fault it is if nothing was graded,
/// the findings with the quoted source, and, if none of them is an error, the message and the hint.
std::string item_text(const Item& item, const Record& record);

}  // namespace tessera
