// The items of a record with their points, and why points were lost.
#pragma once

#include <vector>

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"
#include "grader/report/html/markup.h"
#include "grader/report/html/words.h"

namespace tessera {

/// A table of all items with their points, by part (correctness, checks, ...), each with its
/// message, its hint and links to its causes.
Html items_table(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors);

/// An article for every cause that is a finding: what happened, where, in which cases, what to do.
/// Nothing if there is none.
Html causes_articles(const Record& record, const std::vector<Cause>& causes,
                     const Anchors& anchors);

/// The counters of every case as a table. Nothing if no case has any.
Html counters_table(const Record& record);

}  // namespace tessera
