// Cooperative groups for Clang, which compiles without the CUDA Toolkit: the block, tiles of a
// warp, and the threads of a warp that are together. As with the Toolkit's header, a tile's
// shuffles are those of the warp and a block's sync() is its barrier.
#pragma once
#pragma clang system_header

namespace cooperative_groups {

// The bits of a group's lanes. A group of the whole block has none: its threads are in many warps.
constexpr unsigned int __tessera_block = 0;

__TESSERA_FN unsigned int __tessera_lane() {
  return __nvvm_read_ptx_sreg_laneid();
}
__TESSERA_FN unsigned int __tessera_threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__TESSERA_FN unsigned int __tessera_rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__TESSERA_FN void __tessera_block_sync() {
  asm volatile("barrier.sync 0;" ::: "memory");
}

/// How many lanes of `mask` are before this one.
__TESSERA_FN unsigned int __tessera_rank(unsigned int mask) {
  return __popc(mask & ((1u << __tessera_lane()) - 1));
}

/// The lane that is number `rank` of those in `mask`.
__TESSERA_FN unsigned int __tessera_lane_of(unsigned int mask, unsigned int rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return __ffs(mask) - 1;
}

/// The lanes of `mask` whose rank has the same quotient by `size` as this one's.
__TESSERA_FN unsigned int __tessera_part(unsigned int mask, unsigned int size) {
  unsigned int part = 0;
  unsigned int rank = 0;
  const unsigned int mine = __tessera_rank(mask) / size;
  for (unsigned int lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    if (rank++ / size == mine) part |= 1u << lane;
  }
  return part;
}

/// The lanes of this warp that have a thread of the block.
__TESSERA_FN unsigned int __tessera_lanes_of_block() {
  const unsigned int first = __tessera_rank_in_block() - __tessera_lane();
  const unsigned int threads = __tessera_threads_of_block() - first;
  return threads < 32 ? (1u << threads) - 1 : 0xffffffffu;
}

// What a shuffle moves, word by word.
#define __TESSERA_SHUFFLED(name, parameter, shuffled)                   \
  template <class T>                                                    \
  __TESSERA_MEMBER T name(T value, parameter) const {                   \
    static_assert(sizeof(T) <= 32, "a shuffle moves at most 32 bytes"); \
    unsigned int words[(sizeof(T) + 3) / 4] = {};                       \
    __builtin_memcpy(words, &value, sizeof(T));                         \
    _Pragma("unroll") for (unsigned int& word : words) word = shuffled; \
    __builtin_memcpy(&value, words, sizeof(T));                         \
    return value;                                                       \
  }

/// Any group, with its size known at run time.
class thread_group {
 public:
  __TESSERA_MEMBER void sync() const {
    if (mask_ == __tessera_block) {
      __tessera_block_sync();
    } else {
      __syncwarp(mask_);
    }
  }
  __TESSERA_MEMBER unsigned long long size() const { return num_threads(); }
  __TESSERA_MEMBER unsigned long long num_threads() const {
    return mask_ == __tessera_block ? __tessera_threads_of_block() : __popc(mask_);
  }
  __TESSERA_MEMBER unsigned long long thread_rank() const {
    return mask_ == __tessera_block ? __tessera_rank_in_block() : __tessera_rank(mask_);
  }
  __TESSERA_MEMBER explicit thread_group(unsigned int mask) : mask_(mask) {}
  __TESSERA_MEMBER unsigned int __mask() const { return mask_; }

 private:
  unsigned int mask_;
};

class thread_block : public thread_group {
 public:
  __TESSERA_MEMBER thread_block() : thread_group(__tessera_block) {}
  __TESSERA_MEMBER static void sync() { __tessera_block_sync(); }
  __TESSERA_MEMBER static unsigned int size() { return __tessera_threads_of_block(); }
  __TESSERA_MEMBER static unsigned int num_threads() { return __tessera_threads_of_block(); }
  __TESSERA_MEMBER static unsigned int thread_rank() { return __tessera_rank_in_block(); }
  __TESSERA_MEMBER static dim3 group_index() { return blockIdx; }
  __TESSERA_MEMBER static dim3 thread_index() { return threadIdx; }
  __TESSERA_MEMBER static dim3 group_dim() { return blockDim; }
  __TESSERA_MEMBER static dim3 dim_threads() { return blockDim; }
};

__TESSERA_FN thread_block this_thread_block() {
  return thread_block();
}

/// Threads of one warp, numbered from its lowest lane.
class coalesced_group : public thread_group {
 public:
  __TESSERA_MEMBER explicit coalesced_group(unsigned int mask) : thread_group(mask) {}
  __TESSERA_MEMBER void sync() const { __syncwarp(__mask()); }
  __TESSERA_MEMBER unsigned int size() const { return __popc(__mask()); }
  __TESSERA_MEMBER unsigned int num_threads() const { return __popc(__mask()); }
  __TESSERA_MEMBER unsigned int thread_rank() const { return __tessera_rank(__mask()); }

  __TESSERA_SHUFFLED(shfl, unsigned int rank,
                     __shfl_sync(__mask(), word, __tessera_lane_of(__mask(), rank)))
  __TESSERA_SHUFFLED(shfl_down, unsigned int delta,
                     __shfl_sync(__mask(), word, lane_at(thread_rank() + delta)))
  __TESSERA_SHUFFLED(shfl_up, unsigned int delta,
                     __shfl_sync(__mask(), word, lane_at(thread_rank() - delta)))
  __TESSERA_MEMBER int any(int predicate) const { return __any_sync(__mask(), predicate); }
  __TESSERA_MEMBER int all(int predicate) const { return __all_sync(__mask(), predicate); }
  __TESSERA_MEMBER unsigned int ballot(int predicate) const {
    return by_rank(__ballot_sync(__mask(), predicate));
  }
  template <class T>
  __TESSERA_MEMBER unsigned int match_any(T value) const {
    return by_rank(__match_any_sync(__mask(), value));
  }

 private:
  /// The lane of a rank, or this thread's own where there is no such rank.
  __TESSERA_MEMBER unsigned int lane_at(unsigned int rank) const {
    return rank < size() ? __tessera_lane_of(__mask(), rank) : __tessera_lane();
  }
  /// `lanes` with one bit for each rank instead of one for each lane.
  __TESSERA_MEMBER unsigned int by_rank(unsigned int lanes) const {
    unsigned int ranks = 0;
    unsigned int rank = 0;
    for (unsigned int lane = 0; lane < 32; ++lane) {
      if ((__mask() >> lane & 1) != 0) ranks |= (lanes >> lane & 1) << rank++;
    }
    return ranks;
  }
};

__TESSERA_FN coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned int Size>
class __tessera_tile {
 public:
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "with Clang a tile has 1, 2, 4, 8, 16 or 32 threads");
  __TESSERA_MEMBER void sync() const { __syncwarp(__mask()); }
  __TESSERA_HD_MEMBER static constexpr unsigned int size() { return Size; }
  __TESSERA_HD_MEMBER static constexpr unsigned int num_threads() { return Size; }
  __TESSERA_MEMBER static unsigned int thread_rank() {
    return __tessera_rank_in_block() & (Size - 1);
  }
  /// Which of the parent's tiles this one is, and how many the parent has.
  __TESSERA_MEMBER unsigned int meta_group_rank() const { return meta_rank_; }
  __TESSERA_MEMBER unsigned int meta_group_size() const { return meta_size_; }

  __TESSERA_SHUFFLED(shfl, int rank, __shfl_sync(__mask(), word, rank, Size))
  __TESSERA_SHUFFLED(shfl_down, unsigned int delta, __shfl_down_sync(__mask(), word, delta, Size))
  __TESSERA_SHUFFLED(shfl_up, unsigned int delta, __shfl_up_sync(__mask(), word, delta, Size))
  __TESSERA_SHUFFLED(shfl_xor, unsigned int lanes, __shfl_xor_sync(__mask(), word, lanes, Size))
  __TESSERA_MEMBER int any(int predicate) const { return __any_sync(__mask(), predicate); }
  __TESSERA_MEMBER int all(int predicate) const { return __all_sync(__mask(), predicate); }
  __TESSERA_MEMBER unsigned int ballot(int predicate) const {
    return __ballot_sync(__mask(), predicate) >> first_lane();
  }
  template <class T>
  __TESSERA_MEMBER unsigned int match_any(T value) const {
    return __match_any_sync(__mask(), value) >> first_lane();
  }
  template <class T>
  __TESSERA_MEMBER unsigned int match_all(T value, int& all) const {
    return __match_all_sync(__mask(), value, &all) >> first_lane();
  }
  __TESSERA_MEMBER static unsigned int __mask() {
    return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << first_lane();
  }

 protected:
  __TESSERA_MEMBER __tessera_tile(unsigned int meta_rank, unsigned int meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {}

 private:
  __TESSERA_MEMBER static unsigned int first_lane() {
    return Size == 32 ? 0 : __tessera_lane() & ~(Size - 1);
  }
  unsigned int meta_rank_;
  unsigned int meta_size_;
};
#undef __TESSERA_SHUFFLED

/// Size threads of one warp, one after the other in Parent.
template <unsigned int Size, class Parent = void>
class thread_block_tile : public __tessera_tile<Size> {
 public:
  __TESSERA_MEMBER thread_block_tile(const Parent& parent)
      : __tessera_tile<Size>(parent.thread_rank() / Size, (parent.size() + Size - 1) / Size) {}
};
template <unsigned int Size>
class thread_block_tile<Size, void> : public __tessera_tile<Size> {
 public:
  template <class Parent>
  __TESSERA_MEMBER thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : __tessera_tile<Size>(tile) {}
};

template <unsigned int Size, class Parent>
__TESSERA_FN thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}
__TESSERA_FN thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  const bool block = parent.__mask() == __tessera_block;
  return thread_group(__tessera_part(block ? __tessera_lanes_of_block() : parent.__mask(), size));
}
__TESSERA_FN coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  return coalesced_group(__tessera_part(parent.__mask(), size));
}

/// The threads of a tile, or of a coalesced group, with the same answer or the same label.
template <class Group>
__TESSERA_FN coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.__mask(), predicate);
  return coalesced_group(predicate ? yes : group.__mask() & ~yes);
}
template <class Group, class Label>
__TESSERA_FN coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.__mask(), label));
}

/// All threads of the launch. They cannot wait for each other.
class grid_group {
 public:
  __attribute__((device, unavailable("blocks of a grid cannot wait for each other here: end the "
                                     "kernel where all of them must have arrived"))) void
  sync() const;
  __TESSERA_MEMBER static unsigned long long size() { return num_threads(); }
  __TESSERA_MEMBER static unsigned long long num_threads() {
    return num_blocks() * __tessera_threads_of_block();
  }
  __TESSERA_MEMBER static unsigned long long thread_rank() {
    return block_rank() * __tessera_threads_of_block() + __tessera_rank_in_block();
  }
  __TESSERA_MEMBER static unsigned long long num_blocks() {
    return 1ull * gridDim.x * gridDim.y * gridDim.z;
  }
  __TESSERA_MEMBER static unsigned long long block_rank() {
    return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  __TESSERA_MEMBER static dim3 dim_blocks() { return gridDim; }
  __TESSERA_MEMBER static dim3 dim_threads() { return blockDim; }
  __TESSERA_MEMBER static dim3 group_dim() { return gridDim; }
  __TESSERA_MEMBER static dim3 block_index() { return blockIdx; }
  __TESSERA_MEMBER static dim3 thread_index() { return threadIdx; }
};
__TESSERA_FN grid_group this_grid() {
  return grid_group();
}

template <class Group>
__TESSERA_FN void sync(const Group& group) {
  group.sync();
}
template <class Group>
__TESSERA_FN auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
__TESSERA_FN auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

}  // namespace cooperative_groups
