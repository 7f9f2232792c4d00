// One item for systems that show a text beside each test.
#pragma once

#include <string>

#include "grader/judge/points/record.h"

namespace tessera {

/// All that an item has to tell, in 80 columns of plain text: whose fault it is where nothing was
/// graded, the findings with the quoted source; where no error tells it, the message and the hint.
std::string item_text(const Item& item, const Record& record);

}  // namespace tessera
