// What a step of GitHub Actions shows: notes at lines of files, and a page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// Workflow commands, one a line, for standard output: `::error file=,line=,col=,title=::message`
/// for the causes that cost most, errors before warnings and the first cause of every lab before
/// the second of any, at most ten of either since a step shows no more; then the two notices with
/// the points by which GitHub Classroom's tools know a grade. Files are told relative to
/// `workspace`, the repository (an empty path: as they are). A skeleton nobody has begun has no
/// notes.
std::string github_commands(const std::vector<Record>& records,
                            const std::filesystem::path& workspace);

/// Why nothing was graded, as a workflow command; at its place where it has a line, as in a
/// lab.yaml.
std::string github_command(const Error& error, const std::filesystem::path& workspace);

/// Markdown for the step's summary: points, a table a lab, what failed with the quoted source, and
/// what the words mean. Below GitHub's limit of 1 MiB: labs that no longer fit have their points
/// only. Text of a submission stays text.
std::string github_summary(const std::vector<Record>& records);

}  // namespace tessera
