// A requirement on a counter, held against what was counted.
#pragma once

#include <map>
#include <string>

#include "grader/judge/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Title, status, points, message and hint of one technique item. A ratio that was not counted
/// because there was no such request fails; a metric that this machine cannot know is deferred.
Item technique_item(const TechniqueItem& technique, const std::map<std::string, double>& metrics);

}  // namespace tessera
