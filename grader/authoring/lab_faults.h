// What keeps a lab from being handed out.
#pragma once

#include <string>

#include "grader/judge/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// What a reference loses that it should win, beginning with the item's id; "" where it wins
/// everything that was measured.
std::string reference_fault(const Record& record);

/// Why students would not learn what to do: the lab has no README.md, or an empty one; or "".
std::string page_fault(const Lab& lab);

}  // namespace tessera
