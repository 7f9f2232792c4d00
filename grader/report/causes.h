// What a record has to say, each cause once, with the cases that show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A finding, or an item's message where no finding tells it (`title` is the item's then).
struct Cause {
  Finding finding;
  std::string title;
  Status status = Status::fail;      // of the item that tells it
  std::vector<std::string> cases;    // "case 2", "hidden case 1"
  bool everywhere = false;           // every correctness case shows it
  std::size_t item = 0;              // of the record: the one that tells it
  std::optional<std::size_t> after;  // an earlier cause to repair first: this one may go with it
};

/// Causes of what failed, and warnings of what passed: what makes others first (a kernel that does
/// not compile has no races), then results whose diagnosis names the mistake, then what the checks
/// found, then the rest, each in the order of the items. Where
/// several cases show one, the first tells it, or the first that has a diagnosis. A hint says so
/// where one comes `after` another.
std::vector<Cause> causes_of(const Record& record);

/// "race in line 20", "wrong-result"
std::string finding_name(const Finding& finding);

/// What the labs' pages call the metric: "global loads" for global_load_requests; its name if it
/// has no words of its own.
std::string_view metric_words(Metric metric);

/// The item's title with these words in place of the metric, and its name after them: "global loads
/// at most 16,000 (global_load_requests)". Any other title stays as it is.
std::string worded_title(const Item& item);

/// "case 2", "hidden case 1"; "" for an item that is no case.
std::string case_label(const Item& item);

/// An item as systems know it that compare one run with another: "case 2: m=64 n=48 k=32 ones",
/// "barriers at least 1".
std::string item_name(const Item& item);

/// An item as a row of a table calls it: "case 2: m=64 n=48 k=32 ones", "global loads at most 100
/// (global_load_requests): 56".
std::string item_label(const Item& item);

/// The one item that stands for all where the submission does not compile: each of them would say
/// the same. Nothing where a case ran.
std::optional<Item> item_of_all(const Record& record);

/// "in case 2, also in case 3, case 4", "in case 1, also in every other", or "".
std::string where_text(const Cause& cause);

}  // namespace tessera
