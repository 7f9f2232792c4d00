// Pictures among the causes of a terminal report.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"
#include "grader/report/report.h"

namespace tessera {

/// Draws each picture once, however many causes it explains.
class CausePictures {
 public:
  /// `record` must outlive it.
  CausePictures(const Record& record, const TextOptions& options)
      : record_(record), options_(options) {}

  /// Where the elements are that this cause made wrong, how the lanes lay that lost its points, or
  /// what time won and lost them; "" where a picture has nothing to add, or another cause comes
  /// first.
  std::string of(const Cause& cause);

 private:
  bool is_new(const void* subject);

  const Record& record_;
  TextOptions options_;
  std::vector<const void*> drawn_;
};

}  // namespace tessera
