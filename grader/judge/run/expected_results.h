// Keeps what a lab's reference.cu computes, for the next kernel that gets the same inputs: `lab
// check` compares hundreds of kernels with the references of a few cases.
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

/// Several threads may use it at the same time.
class ExpectedResults {
 public:
  /// Keeps results as long as this object lives.
  ExpectedResults() = default;

  /// Keeps results in `folder` too (common/content_cache.h), for later runs of the program that
  /// `program` identifies.
  ExpectedResults(std::filesystem::path folder, std::string program);

  /// The results for `inputs`: those that were kept, or else those of `compute`. A thread that asks
  /// for results which another thread is computing waits for them. `what` names all else that they
  /// depend on, such as the reference's code and the extents.
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
