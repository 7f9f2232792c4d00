// What a lab's reference.cu computes, kept for the next kernel that gets the same inputs: a proof
// holds hundreds of kernels against a few cases.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "common/host_matrix.h"
#include "common/operation.h"

namespace tessera {

/// May be used by many threads.
class ExpectedResults {
 public:
  /// The results for `inputs`, computed where they are not kept yet. `what`: all else that they
  /// depend on, the reference's code and the extents.
  Reference get(const std::string& what, std::span<const HostMatrix> inputs,
                const std::function<Reference()>& compute);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  std::mutex mutex_;
  std::map<std::string, Reference> known_;
  std::size_t bytes_ = 0;  // beyond kMostBytes nothing more is kept
};

}  // namespace tessera
