// tessera gradebook report: a page on the class.
#pragma once

#include "grader/cli/commands.h"

namespace tessera {

Command add_report_command(CLI::App& gradebook);

}  // namespace tessera
