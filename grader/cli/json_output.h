// The target of --json and the like: nowhere, a file, or with "-" standard output.
#pragma once

#include <optional>
#include <string>

#include "common/expected.h"

namespace tessera {

class JsonOutput {
 public:
  /// `target` as on the command line; "" writes nowhere.
  explicit JsonOutput(std::string target) : target_(std::move(target)) {}

  /// Whether standard output is for the JSON: then nothing else may be printed there.
  bool takes_standard_output() const { return target_ == "-"; }

  /// An error if it cannot be written, before any work is lost.
  std::optional<Error> check() const;

  /// Writes `json` and returns whether it was written; prints on standard error why it was not.
  bool write(const std::string& json) const;

 private:
  std::string target_;
};

}  // namespace tessera
