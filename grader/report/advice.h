// What a line's memory accesses waste, and what to do about it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/line_profile.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A submission's lines and their accesses to memory.
struct CountedSource {
  const std::vector<std::string>& lines;
  const std::vector<LineAccess>& accesses;
  /// The lab has threadIdx.x walk down columns, so strides in global memory are no fault.
  bool wants_strides = false;
  /// Where each accessed shared array is declared with its size.
  std::map<std::string, int> shared_lines = {};
};

/// The lines and accesses must outlive the result.
CountedSource counted_source(const std::vector<std::string>& lines,
                             const std::vector<LineAccess>& accesses);

/// The same of a record. A lab with a goal of at least some number of sectors a request
/// wants strides.
CountedSource counted_source(const Record& record);

/// What is bad about the worst request and what to do about it; "" if it is not bad.
std::string advice(const CountedSource& source, const LineAccess& access);

/// Of the accesses whose sectors or wavefronts the item's metric counts, the one farthest from its
/// ideal; nullptr if the metric counts something else or the item has all its points.
const LineAccess* costliest_access(const Item& item, const Record& record);

/// What to do about an item that lost points: the advice on its costliest access with its line,
/// else the item's hint, which may be "".
std::string remedy_of(const Item& item, const Record& record);

}  // namespace tessera
