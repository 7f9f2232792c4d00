// What a line's memory accesses waste, and what to do about it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/line_profile.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A submission's lines, and what they asked of memory.
struct CountedSource {
  const std::vector<std::string>& lines;
  const std::vector<LineAccess>& accesses;
  /// The lab has threadIdx.x walk down columns: strides in global memory are no fault.
  bool wants_strides = false;
  /// Where each shared array is declared with its size; looked up for those that were accessed.
  std::map<std::string, int> shared_lines = {};
};

/// Of what must outlive it.
CountedSource counted_source(const std::vector<std::string>& lines,
                             const std::vector<LineAccess>& accesses);

/// The same of a record. A goal of at least so many sectors a request wants strides.
CountedSource counted_source(const Record& record);

/// What is bad about the worst request and what to do; "" where nothing is.
std::string advice(const CountedSource& source, const LineAccess& access);

/// The access whose sectors or wavefronts the item's metric tells of, and that is farthest from its
/// ideal; nullptr where the metric tells of something else or the item has its points.
const LineAccess* costliest_access(const Item& item, const Record& record);

/// What to do about an item that lost points: the advice on its costliest access, with the line,
/// else its hint, or "".
std::string remedy_of(const Item& item, const Record& record);

}  // namespace tessera
