#include "grader/cli/json_output.h"

#include <iostream>

#include "common/text.h"
#include "grader/cli/locations.h"

namespace tessera {

std::optional<Error> JsonOutput::check() const {
  return target_.empty() || takes_standard_output() ? std::nullopt : check_writable(target_);
}

bool JsonOutput::write(const std::string& json) const {
  if (target_.empty()) return true;
  if (takes_standard_output()) {
    std::cout << json << std::flush;
    return std::cout.good();
  }
  const std::optional<Error> error = write_file(target_, json);
  if (error) print_error(*error);
  return !error;
}

}  // namespace tessera
