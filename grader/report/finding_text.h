// One finding for a terminal: where, what, the source line, and what to do.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/report/report.h"

namespace tessera {

/// The submission's name in findings.
inline constexpr const char* kSubmissionFile = "kernel.cu";

/// The file whose lines may be quoted, by its name in findings.
struct SourceText {
  std::string file;
  const std::vector<std::string>& lines;
};

/// "  race  kernel.cu:23  in case 2", the message, the quoted line with a caret, the hint.
/// `where` ("in case 2") may be empty.
std::string finding_text(const Finding& finding, const std::string& where, const SourceText& source,
                         const TextOptions& options);

}  // namespace tessera
