// What earlier runs of `lab check` have found, in the cache (common/content_cache.h): a run that
// was interrupted, or that comes after an edit of something else, tries nothing again.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/judge.h"
#include "grader/lab/lab.h"

namespace tessera {

/// May be used by many threads, and by several programs at a time.
class KeptVerdicts {
 public:
  /// Has nothing and keeps nothing.
  KeptVerdicts() = default;

  /// Verdicts on kernels of `lab` with `options`' device and device headers, whose hidden cases are
  /// in `solutions`, by the build of this program that `program` tells from every other one. They
  /// are in options.cache_dir. `fresh`: those of earlier runs are not looked at. Without a cache,
  /// without a `program`, or where a file of the lab cannot be read, nothing is kept.
  KeptVerdicts(const Lab& lab, const std::filesystem::path& solutions, const GradeOptions& options,
               const std::string& program, bool fresh);

  /// The verdict on `subject`: all else that decides it, such as the kernel, compiler and seed.
  std::optional<nlohmann::json> find(const std::vector<std::string>& subject) const;

  void keep(const std::vector<std::string>& subject, const nlohmann::json& verdict) const;

 private:
  std::string key_of(const std::vector<std::string>& subject) const;

  std::filesystem::path folder_;  // empty: nothing is kept
  std::string basis_;             // of all verdicts
  bool fresh_ = false;
};

}  // namespace tessera
