// What keeps a lab from being handed out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// What a reference loses that it should win, beginning with the item's id; "" where it wins
/// everything that was measured.
std::string reference_fault(const Record& record);

/// Why students would not learn what to do: the lab has no README.md, an empty one, or one whose
/// table of points ("| item | points |") is not lab.yaml's; or "".
std::string page_fault(const Lab& lab);

/// What may be meant, but seldom is: a counter whose `naive` meets the requirement, two equal
/// cases, two equal requirements, points that do not add up to a round hundred.
std::vector<std::string> doubts(const Lab& lab);

/// The first file in `solution` (solutions/NN-name) that nothing reads, such as a misspelt
/// hidden.yaml; or "". Hidden files and an editor's copies (`kernel.cu~`) are passed over.
std::string solution_fault(const std::filesystem::path& solution);

}  // namespace tessera
