// The causes that a record reports, each once, with the cases that show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A finding, or the message of an item that has no finding (then `title` is the item's).
struct Cause {
  Finding finding;
  std::string title;
  Status status = Status::fail;      // of `item`
  std::vector<std::string> cases;    // "case 2", "hidden case 1"
  bool everywhere = false;           // every correctness case shows it
  std::size_t item = 0;              // index in the record of the item that the text is from
  std::optional<std::size_t> after;  // an earlier cause to repair first, which may mend this one
};

/// The causes of what failed, and the warnings of what passed. Those that bring about others come
/// first (a kernel that does not compile has no races), then results whose diagnosis names the
/// mistake, then what the checks found, then the rest; each group in the order of the items. If
/// several cases show a cause, its text is that of the first case with a diagnosis, else of the
/// first. The hint of a cause that comes `after` another says so.
std::vector<Cause> causes_of(const Record& record);

/// "race in line 20", "wrong-result"
std::string finding_name(const Finding& finding);

/// The metric as the labs' pages call it: "global loads" for global_load_requests; its name if
/// they have no words for it.
std::string_view metric_words(Metric metric);

/// The item's title with these words in place of the metric's name, which follows in parentheses:
/// "global loads at most 16,000 (global_load_requests)". Any other title stays as it is.
std::string worded_title(const Item& item);

/// "case 2", "hidden case 1"; "" for an item that is not a case.
std::string case_label(const Item& item);

/// The item's name, the same in every run, for systems that compare runs: "case 2: m=64 n=48 k=32
/// ones", "barriers at least 1".
std::string item_name(const Item& item);

/// The item's label in a table: "case 2: m=64 n=48 k=32 ones", "global loads at most 100
/// (global_load_requests): 56".
std::string item_label(const Item& item);

/// A single item in place of all if the submission does not compile, since each of them would say
/// the same. Nothing if a case ran.
std::optional<Item> item_of_all(const Record& record);

/// "in case 2, also in case 3, case 4", "in case 1, also in every other", or "".
std::string where_text(const Cause& cause);

}  // namespace tessera
