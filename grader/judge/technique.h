// A requirement on a counter, held against what was counted.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// "global_load_requests at most 5", as the item is called in every language.
std::string technique_title(const Goal& goal);

/// Title, status, points, message and hint of one technique item in one case. Atomics count as
/// loads and as stores where there is a ceiling on these. A ratio that was not counted because
/// there was no such request fails; a metric that this machine cannot know is deferred.
Item technique_item(const TechniqueItem& technique, const Metrics& metrics);

/// The counters of a case, by its index in Lab::cases.
struct CountedCase {
  std::size_t index = 0;
  const Metrics* metrics = nullptr;
};

/// All technique items of the lab. `cases` are those of Lab::counted_cases(), in that order: an
/// item shows the first one's value, and is won where its requirement holds in all of them. Where
/// an item that is the lesson fails, the others are skipped.
std::vector<Item> technique_items(const Lab& lab, const std::vector<CountedCase>& cases);

}  // namespace tessera
