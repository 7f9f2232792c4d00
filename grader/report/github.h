// What a step of GitHub Actions shows: notes at lines of files, and a summary page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// Workflow commands for standard output, one a line. First `::error
/// file=,line=,col=,title=::message` for the causes that cost most: errors before warnings, the
/// first cause of every lab before the second of any, and at most ten of each sort, since a step
/// shows no more. Then the two notices from which GitHub Classroom's tools read the points. Paths
/// are relative to `workspace`, the repository (an empty path: as they are). An untouched skeleton
/// has no notes.
std::string github_commands(const std::vector<Record>& records,
                            const std::filesystem::path& workspace);

/// The error because of which nothing was graded, as a workflow command; at its line if it has one,
/// as in a lab.yaml.
std::string github_command(const Error& error, const std::filesystem::path& workspace);

/// Markdown for the step's summary: points, a table for each lab, what failed with the quoted
/// source, and what the words mean. Stays below GitHub's limit of 1 MiB: labs that no longer fit
/// have only their points. Text of a submission stays text.
std::string github_summary(const std::vector<Record>& records);

}  // namespace tessera
