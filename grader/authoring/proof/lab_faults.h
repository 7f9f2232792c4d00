// What keeps a lab from being handed out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// What a reference loses that it should win, beginning with the item's id; "" if it wins
/// everything that was measured.
std::string reference_fault(const Record& record);

/// What is wrong with the students' page: the lab has no README.md, an empty one, or one whose
/// table of points ("| item | points |") is not lab.yaml's; or "".
std::string page_fault(const Lab& lab);

/// What may be intended, but seldom is: a counter whose `naive` meets the requirement, two equal
/// cases, two equal requirements, points that do not add up to 100.
std::vector<std::string> doubts(const Lab& lab);

/// The first file in `solution` (solutions/NN-name) that nothing reads, such as a misspelt
/// hidden.yaml; or "". Hidden files and editors' backups (`kernel.cu~`) are ignored.
std::string solution_fault(const std::filesystem::path& solution);

}  // namespace tessera
