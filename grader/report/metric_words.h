// What the labs' pages call the metrics, for people who read a report.
#pragma once

#include <string>
#include <string_view>

#include "grader/judge/record.h"

namespace tessera {

/// "global loads" for global_load_requests; a name without words of its own stays as it is.
std::string_view metric_words(std::string_view metric);

/// The item's title with the page's words in place of the metric, and its name after them: "global
/// loads at most 16,000 (global_load_requests)". Any other title stays as it is.
std::string worded_title(const Item& item);

}  // namespace tessera
