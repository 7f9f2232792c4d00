#include "grader/judge/run/expected_results.h"

#include <cstring>
#include <utility>

#include "common/content_cache.h"

namespace tessera {
namespace {

void append(std::string& text, std::span<const double> values) {
  text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::size_t bytes_of(const Reference& result) {
  return (result.value.size() + result.bound.size()) * sizeof(double);
}

}  // namespace

ExpectedResults::ExpectedResults(std::filesystem::path folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program)) {
}

Reference ExpectedResults::get(const std::string& what, std::span<const HostMatrix> inputs,
                               const std::function<Reference()>& compute) {
  std::vector<std::string> parts = {"expected results", program_, what};
  for (const HostMatrix& input : inputs) {
    const std::span<const std::byte> bytes = input.bytes();
    parts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  const std::string key = entry_key(parts);
  std::promise<Reference> promise;
  Waiting waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) waiting = known->second;
    if (known == known_.end()) known_.emplace(key, promise.get_future().share());
  }
  if (waiting.valid()) return waiting.get();
  try {
    const Reference result = made(key, compute);
    promise.set_value(result);
    const std::lock_guard lock(mutex_);
    bytes_ += bytes_of(result);
    if (bytes_ > kMostBytes) {
      bytes_ -= bytes_of(result);
      known_.erase(key);
    }
    return result;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    known_.erase(key);
    throw;
  }
}

Reference ExpectedResults::made(const std::string& key,
                                const std::function<Reference()>& compute) const {
  if (auto kept = load(key)) return *std::move(kept);
  Reference result = compute();
  if (folder_.empty()) return result;
  std::string contents;
  append(contents, result.value);
  append(contents, result.bound);
  store_entry(folder_, key, contents);
  return result;
}

std::optional<Reference> ExpectedResults::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::optional<std::string> contents = load_entry(folder_, key);
  if (!contents) return std::nullopt;
  // A value and a bound for each element.
  const std::size_t count = contents->size() / sizeof(double) / 2;
  Reference result{std::vector<double>(count), std::vector<double>(count)};
  std::memcpy(result.value.data(), contents->data(), count * sizeof(double));
  std::memcpy(result.bound.data(), contents->data() + count * sizeof(double),
              count * sizeof(double));
  return result;
}

}  // namespace tessera
