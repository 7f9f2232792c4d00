#include "grader/judge/expected_results.h"

#include "common/text.h"

namespace tessera {

Reference ExpectedResults::get(const std::string& what, std::span<const HostMatrix> inputs,
                               const std::function<Reference()>& compute) {
  std::string all = what;
  for (const HostMatrix& input : inputs) {
    const std::span<const std::byte> bytes = input.bytes();
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  const std::string key = sha256(all);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  Reference result = compute();
  const std::size_t bytes = (result.value.size() + result.bound.size()) * sizeof(double);
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes <= kMostBytes && known_.emplace(key, result).second) bytes_ += bytes;
  return result;
}

}  // namespace tessera
