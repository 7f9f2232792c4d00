// Writes records for people and machines.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.h"

namespace tessera {

struct TextOptions {
  bool color = false;
  int width = 100;
};

/// One table a lab, then for what failed the message, the quoted line and the hint, and a total
/// line.
std::string text_report(const Record& record, const TextOptions& options);

/// The closing line over several labs.
std::string text_total(const std::vector<Record>& records, const TextOptions& options);

/// One object ("tessera.result/1"); for several records a list.
std::string json_report(const std::vector<Record>& records);

}  // namespace tessera
