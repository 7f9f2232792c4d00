// Marks without anybody's name.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// "7kf3-q2mx": the same for the same student and key, and nothing can be told from it without the
/// key.
std::string pseudonym(RowId student, const std::string& key);

/// `marks` as somebody may see them who must not know whose they are: names are pseudonyms and
/// decide the order; what else identifies is gone: numbers, addresses, sections, groups, files,
/// times, notes. The id of the student and the hash of the kernel stay, to look up what belongs to
/// a mark, and must not be shown.
std::vector<Mark> anonymised(std::vector<Mark> marks, const std::string& key);

}  // namespace tessera
