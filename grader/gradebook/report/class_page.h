// The report on a class as one self-contained HTML file. Everything can be read without its script;
// the script sorts and filters tables.
#pragma once

#include <string>

#include "grader/gradebook/report/class_report.h"

namespace tessera {

/// The whole document. Everything in the report is shown as text, never as markup.
std::string class_page(const ClassReport& report);

}  // namespace tessera
