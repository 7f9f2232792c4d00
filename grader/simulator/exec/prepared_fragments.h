// Fragments of factors, prepared for the arithmetic of tensor cores. A warp multiplies each of its
// fragments of A with several of B, so that the last few are kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "grader/simulator/check/lanes.h"
#include "grader/simulator/exec/tensor_product.h"

namespace tessera::sim {

/// Factor is TensorRows or TensorColumns; its fragments have at most kRegisters registers.
template <class Factor, std::size_t kRegisters>
class PreparedFragments {
 public:
  struct Form {
    TensorType type{};
    std::size_t depth = 0;
    std::uint32_t sign = 0;  // bits that are turned in each element
    friend bool operator==(const Form&, const Form&) = default;
  };

  /// The factor that these registers hold, one value a lane in each. `fill` stores its elements in
  /// the bits of a factor that is all zero.
  template <class Fill>
  const Factor& get(const Form& form, std::span<const std::uint32_t* const> registers,
                    const Fill& fill) {
    const auto known = std::ranges::find(entries_, registers.front(), &Entry::place);
    Entry& entry = known != entries_.end() ? *known : entries_[next_++ % entries_.size()];
    bool same = entry.place == registers.front() && entry.form == form;
    for (std::size_t r = 0; same && r < registers.size(); ++r)
      same = std::memcmp(entry.words[r].data(), registers[r], sizeof entry.words[r]) == 0;
    if (same) return entry.factor;
    entry.place = registers.front();
    for (std::size_t r = 0; r < registers.size(); ++r)
      std::copy_n(registers[r], kLanes, entry.words[r].begin());
    if (entry.form != form) entry.factor.bits = {};
    entry.form = form;
    fill(entry.factor);
    entry.factor.prepare(form.type);
    return entry.factor;
  }

 private:
  struct Entry {
    const std::uint32_t* place = nullptr;  // of the first register
    Form form;
    std::array<std::array<std::uint32_t, kLanes>, kRegisters> words{};
    Factor factor;
  };
  std::array<Entry, 8> entries_;
  std::size_t next_ = 0;
};

}  // namespace tessera::sim
