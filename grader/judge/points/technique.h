// Judges requirements on counters by what was counted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// "global_load_requests at most 5", as the item is called in every language.
std::string technique_title(const Goal& goal);

/// A technique item in a case: title, status, points, message and hint. Atomics count as loads and
/// as stores if there is a ceiling on these. A ratio over requests fails if there are none; a
/// metric that this machine cannot count is deferred.
Item technique_item(const TechniqueItem& technique, const Metrics& metrics);

/// The counters of a case, by its index in Lab::cases.
struct CountedCase {
  std::size_t index = 0;
  const Metrics* metrics = nullptr;
};

/// All technique items of the lab. `cases` are those of Lab::counted_cases(), in that order: an
/// item shows the value of the first, and is won if its requirement holds in all of them. If an
/// item that is the lesson fails, the others are skipped.
std::vector<Item> technique_items(const Lab& lab, const std::vector<CountedCase>& cases);

/// Whether `item`, which technique_item() made of `technique`, is of the lesson and failed.
inline bool misses_lesson(const TechniqueItem& technique, const Item& item) {
  return technique.lesson && item.status == Status::fail;
}

/// "; it counts only with A and B": the items of the lesson that failed, of all `items` that
/// technique_items() made; empty if none did. The clause follows the message of another item.
Text missed_lesson(const Lab& lab, std::span<const Item> items);

/// Skips the items that pass, and adds the clause `missing` to their messages; nothing if it is
/// empty.
void hold_back(std::span<Item> items, const Text& missing);

}  // namespace tessera
