// What a lab's reference.cu computes, kept for the next kernel that gets the same inputs: a proof
// holds hundreds of kernels against a few cases.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "common/host_matrix.h"
#include "common/operation.h"

namespace tessera {

/// May be used by many threads.
class ExpectedResults {
 public:
  /// Results that live as long as this object.
  ExpectedResults() = default;

  /// Results that are also kept in `folder` (common/content_cache.h) for later runs of the program
  /// that `program` tells from every other one.
  ExpectedResults(std::filesystem::path folder, std::string program);

  /// The results for `inputs`, computed where they are not kept yet; a second thread waits for the
  /// first one. `what`: all else that they depend on, the reference's code and the extents.
  Reference get(const std::string& what, std::span<const HostMatrix> inputs,
                const std::function<Reference()>& compute);

 private:
  using Waiting = std::shared_future<Reference>;

  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  Reference made(const std::string& key, const std::function<Reference()>& compute) const;
  std::optional<Reference> load(const std::string& key) const;

  std::filesystem::path folder_;  // empty: nothing is kept in files
  std::string program_;
  std::mutex mutex_;
  std::map<std::string, Waiting> known_;
  std::size_t bytes_ = 0;  // beyond kMostBytes nothing more is kept
};

}  // namespace tessera
