// SARIF 2.1.0, which code-scanning services and editors read.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/report.h"

namespace tessera {

/// One run with a rule for each kind of finding, and a result for each finding. Places are named by
/// the report's path. `version` is that of the program. A result has the same fingerprint until its
/// kind or the text of its line changes.
std::string sarif_report(const CheckReport& report, std::string_view version);

}  // namespace tessera
