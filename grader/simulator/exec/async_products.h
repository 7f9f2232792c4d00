// Products of matrices that tensor cores compute while the warps go on: wgmma (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions").
//
// A product is computed when it begins; until its warp has waited for it, the registers of its sums
// count as not written, and what it reads, in registers and in shared memory, must stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "grader/simulator/check/lanes.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

struct Warp;
struct Worker;
struct Frame;

inline constexpr unsigned kWarpsOfGroup = 4;  // of a warpgroup, the first a multiple of 4

/// A product of one warp, whose warp has not waited for it: 16 of the 64 rows.
struct AsyncProduct {
  const Inst* inst = nullptr;
  const Function* function = nullptr;
  std::uint64_t a = 0;  // descriptors; that of A only if A is in shared memory
  std::uint64_t b = 0;
  std::uint32_t group = 0;  // which of its warp's groups it belongs to
  std::uint32_t epoch = 0;  // in which it began
  /// Some of the matrices were stored in that epoch, before the product began.
  bool stored_before = false;
  bool met_copies = false;  // a copy into one was on its way then
  std::uint64_t hash = 0;   // of what it read, if it was stored in that epoch or flags may order
                            // stores inside of one
};

/// The products of one warp.
struct AsyncProducts {
  std::deque<AsyncProduct> all;     // that may be running, the oldest first
  std::uint64_t ended = 0;          // products before the first of them
  std::uint32_t groups = 0;         // that the warp has closed
  bool fenced = false;              // a wgmma.fence orders the registers before the next product
  bool fenced_since = false;        // one has come since the last product
  std::vector<std::uint64_t> left;  // hashes of the sums that the products of the last wait left

  /// By register of `frame`, as FunctionTiming numbers them: how the products use it.
  struct Use {
    enum Kind : std::uint8_t { none, factor, sum, copy_of_sum };
    std::uint64_t product = 0;  // number: products of the warp before it
    Kind kind = none;
  };
  const Frame* frame = nullptr;
  std::vector<Use> registers;

  void clear() { *this = {}; }
  bool running() const { return !all.empty(); }
  /// nullptr: nothing uses the register, or no longer.
  const AsyncProduct* of(const Use& use) const {
    return use.kind == Use::none || use.product < ended ? nullptr : &all[use.product - ended];
  }
};

/// What the warps of a warpgroup have executed: all four must execute the same products, fences and
/// waits.
struct Warpgroup {
  struct Step {
    const Function* function = nullptr;
    const Inst* inst = nullptr;
    std::uint32_t epoch = 0;
    std::uint64_t a = 0;  // of a product, the descriptors
    std::uint64_t b = 0;
    bool adds = false;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::deque<Step> all;                                 // that not all warps have executed
  std::uint64_t before = 0;                             // steps before the first of them
  std::array<std::uint64_t, kWarpsOfGroup> executed{};  // by each warp
  bool differs = false;                                 // and this has been noted
};

/// Inst::target of begin_product. The matrices are `count` columns wide and 32 bytes deep, a and b
/// their descriptors; Function::lists[extra] holds the registers of the sums, and then those of A
/// if it is in registers. Sums are added to if predicate `c` holds.
struct ProductFlags {
  static constexpr std::uint32_t kType = 3;  // a TensorType
  static constexpr std::uint32_t kTransposedA = 4;
  static constexpr std::uint32_t kTransposedB = 8;
  static constexpr std::uint32_t kNegativeA = 16;
  static constexpr std::uint32_t kNegativeB = 32;
  static constexpr std::uint32_t kAddsUnless = 64;  // the predicate is negated
  static constexpr std::uint32_t kRegistersOfA = 128;
};

/// wgmma.mma_async.
const Inst* begin_product(Warp& warp, const Inst* inst, Mask mask);
/// wgmma.fence.
const Inst* fence_products(Warp& warp, const Inst* inst, Mask mask);
/// wgmma.commit_group: products that belong to no group yet form one.
const Inst* commit_products(Warp& warp, const Inst* inst, Mask mask);
/// wgmma.wait_group: all groups but the last Inst::count ones have ended.
const Inst* wait_for_products(Warp& warp, const Inst* inst, Mask mask);
/// fence.proxy.async.
const Inst* fence_async_proxy(Warp& warp, const Inst* inst, Mask mask);

/// The multiply-adds of a begin_product.
std::uint64_t work_of_async_product(const Inst& inst);

/// Notes if an instruction uses registers that belong to a running product. Called before it runs.
void check_registers(Warp& warp, const Inst* inst, Mask mask);

/// Notes products that no warp waits for, and products that not all warps of a warpgroup have
/// executed, as the block has ended.
void note_products_at_end(Worker& worker);

}  // namespace tessera::sim
