// What earlier runs of `lab check` found out, in the cache (common/content_cache.h): a run after an
// interrupted one, or after an edit of something else, does not repeat it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/judge.h"
#include "grader/lab/lab.h"

namespace tessera {

/// May be used by several threads and several programs at once.
class KeptVerdicts {
 public:
  /// Holds nothing and keeps nothing.
  KeptVerdicts() = default;

  /// Verdicts on kernels of `lab`, whose hidden cases are in `solutions`, with the device and
  /// device headers of `options`, by the build of this program that `program` identifies. They are
  /// in options.compiler.cache_dir. `fresh` ignores those of earlier runs. Without a cache, without
  /// a `program`, or if a file of the lab cannot be read, nothing is kept.
  KeptVerdicts(const Lab& lab, const std::filesystem::path& solutions, const GradeOptions& options,
               const std::string& program, bool fresh);

  /// The verdict on `subject`, which is all else that decides it: the kernel, compiler and seed.
  std::optional<nlohmann::json> find(const std::vector<std::string>& subject) const;

  void keep(const std::vector<std::string>& subject, const nlohmann::json& verdict) const;

 private:
  std::string key_of(const std::vector<std::string>& subject) const;

  std::filesystem::path folder_;  // empty: nothing is kept
  std::string basis_;             // the part of the key that all verdicts share
  bool fresh_ = false;
};

}  // namespace tessera
