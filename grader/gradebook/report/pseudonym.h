// Replaces names in marks by pseudonyms.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// "7kf3-q2mx": the same for the same student and key; without the key it gives nothing away.
std::string pseudonym(RowId student, const std::string& key);

/// `marks` for readers who must not know whose they are: names are pseudonyms and decide the order;
/// everything else that identifies is gone: numbers, addresses, sections, groups, files, times,
/// notes. The id of the student and the hash of the kernel stay, to look up what belongs to a mark,
/// and must not be shown.
std::vector<Mark> anonymised(std::vector<Mark> marks, const std::string& key);

}  // namespace tessera
