// Pictures among the causes of a terminal report.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"
#include "grader/report/report.h"

namespace tessera {

/// Draws pictures for causes, each picture once, however many causes it explains.
class CausePictures {
 public:
  /// `record` must outlive it.
  CausePictures(const Record& record, const TextOptions& options)
      : record_(record), options_(options) {}

  /// A picture of the elements that the cause made wrong, of the lanes whose accesses cost points,
  /// or of the time beside its thresholds; "" if a picture adds nothing or was drawn for another
  /// cause.
  std::string of(const Cause& cause);

 private:
  bool is_new(const void* subject);

  const Record& record_;
  TextOptions options_;
  std::vector<const void*> drawn_;
};

}  // namespace tessera
