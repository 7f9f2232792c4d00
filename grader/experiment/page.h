// The page of an experiment, which holds a run's tables between two marks.
#pragma once

#include <string>

#include "common/expected.h"

namespace tessera {

inline constexpr const char* kTablesBegin = "<!-- tables: begin -->";
inline constexpr const char* kTablesEnd = "<!-- tables: end -->";

/// `page` with `tables` between its marks, in place of what was there. Errors name `file`: a mark
/// is missing, or the marks are the wrong way round.
Expected<std::string> with_tables(const std::string& page, const std::string& tables,
                                  const std::string& file);

}  // namespace tessera
