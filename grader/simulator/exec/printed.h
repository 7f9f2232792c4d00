// What a kernel prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::sim {

/// The output of printf in the blocks of one worker, up to a limit of bytes.
class Printed {
 public:
  /// How many characters of the next text to make: one more than is kept, so that a longer text is
  /// noticed; 0 if nothing more is kept.
  std::size_t wanted(std::uint64_t limit) const {
    return bytes_ < limit ? static_cast<std::size_t>(limit - bytes_ + 1) : 0;
  }
  /// Adds the text of one call in `block`, of at most `wanted(limit)` characters.
  void add(std::uint64_t block, const std::string& text, std::uint64_t limit) {
    ++calls_;
    is_cut_ |= bytes_ >= limit;
    if (text.empty()) return;
    bytes_ += text.size();
    if (pieces_.empty() || pieces_.back().first != block) pieces_.emplace_back(block, "");
    pieces_.back().second += text;
  }

  /// Blocks, and what they printed.
  const std::vector<std::pair<std::uint64_t, std::string>>& pieces() const { return pieces_; }
  /// Whether texts were not kept.
  bool is_cut() const { return is_cut_; }
  /// Calls of printf, each thread's by itself.
  std::uint64_t calls() const { return calls_; }

 private:
  std::vector<std::pair<std::uint64_t, std::string>> pieces_;
  std::uint64_t bytes_ = 0;
  std::uint64_t calls_ = 0;
  bool is_cut_ = false;
};

}  // namespace tessera::sim
