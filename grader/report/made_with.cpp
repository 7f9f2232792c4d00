#include "grader/report/made_with.h"

#include <fmt/format.h>

namespace tessera {

std::string made_with(const Record& record) {
  std::string text;
  for (const std::string* part : {&record.device, &record.compiler}) {
    if (!part->empty()) text += *part + ", ";
  }
  return text + fmt::format("seed {}", record.seed);
}

}  // namespace tessera
