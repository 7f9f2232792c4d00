// Barriers, and what the lanes of a warp exchange: shuffles, votes, matches and reductions.
// In PTX, not as compiler builtins: Clang 14 believes that a builtin barrier leaves shared
// variables unchanged whose address is never taken.
#pragma once
#pragma clang system_header

#include "types.cuh"

#define __syncthreads __tessera_syncthreads
__TESSERA_FN void __tessera_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}

__TESSERA_FN int __syncthreads_count(int predicate) {
  int result;
  asm volatile("{ .reg .pred %%p; setp.ne.s32 %%p, %1, 0; bar.red.popc.u32 %0, 0, %%p; }"
               : "=r"(result)
               : "r"(predicate)
               : "memory");
  return result;
}

// For instructions that take and return predicate registers: turns the int `predicate` into %p
// before, and %q into the int `result` after.
#define __TESSERA_VOTE(instruction)                                          \
  int result;                                                                \
  asm volatile("{ .reg .pred %%p, %%q; setp.ne.s32 %%p, %1, 0; " instruction \
               " selp.s32 %0, 1, 0, %%q; }"                                  \
               : "=r"(result)                                                \
               : "r"(predicate), "r"(mask)                                   \
               : "memory");                                                  \
  return result;

__TESSERA_FN int __syncthreads_and(int predicate) {
  const unsigned int mask = 0;
  __TESSERA_VOTE("bar.red.and.pred %%q, 0, %%p;")
}
__TESSERA_FN int __syncthreads_or(int predicate) {
  const unsigned int mask = 0;
  __TESSERA_VOTE("bar.red.or.pred %%q, 0, %%p;")
}

__TESSERA_FN void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

__TESSERA_FN int __all_sync(unsigned int mask, int predicate){
    __TESSERA_VOTE("vote.sync.all.pred %%q, %%p, %2;")} __TESSERA_FN
    int __any_sync(unsigned int mask,
                   int predicate){__TESSERA_VOTE("vote.sync.any.pred %%q, %%p, %2;")} __TESSERA_FN
    int __uni_sync(unsigned int mask,
                   int predicate){__TESSERA_VOTE("vote.sync.uni.pred %%q, %%p, %2;")}
#undef __TESSERA_VOTE

__TESSERA_FN unsigned int __ballot_sync(unsigned int mask, int predicate) {
  unsigned int result;
  asm volatile("{ .reg .pred %%p; setp.ne.s32 %%p, %1, 0; vote.sync.ballot.b32 %0, %%p, %2; }"
               : "=r"(result)
               : "r"(predicate), "r"(mask)
               : "memory");
  return result;
}
__TESSERA_FN unsigned int __activemask() {
  unsigned int result;
  asm volatile("activemask.b32 %0;" : "=r"(result)::"memory");
  return result;
}

// `width` divides the warp into sections. The last operand but one of shfl has two parts: the upper
// bits say which bits of a lane's number name its section, the lower five are the highest lane to
// read within the section (for `up` the lowest, 0).
#define __TESSERA_SHUFFLE_32(name, mode, argument, bound, T)                        \
  __TESSERA_FN T name(unsigned int mask, T value, argument, int width = warpSize) { \
    unsigned int result;                                                            \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                       \
                 : "=r"(result)                                                     \
                 : "r"(__builtin_bit_cast(unsigned int, value)), "r"(lane),         \
                   "r"(((32 - width) << 8) | bound), "r"(mask)                      \
                 : "memory");                                                       \
    return __builtin_bit_cast(T, result);                                           \
  }
#define __TESSERA_SHUFFLE_64(name, mode, argument, bound, T)                                  \
  __TESSERA_FN T name(unsigned int mask, T value, argument, int width = warpSize) {           \
    const auto bits = __builtin_bit_cast(unsigned long long, value);                          \
    const unsigned int low = name(mask, static_cast<unsigned int>(bits), lane, width);        \
    const unsigned int high = name(mask, static_cast<unsigned int>(bits >> 32), lane, width); \
    return __builtin_bit_cast(T, static_cast<unsigned long long>(high) << 32 | low);          \
  }
#define __TESSERA_SHUFFLE(name, mode, argument, bound)                  \
  __TESSERA_SHUFFLE_32(name, mode, argument, bound, int)                \
  __TESSERA_SHUFFLE_32(name, mode, argument, bound, unsigned int)       \
  __TESSERA_SHUFFLE_32(name, mode, argument, bound, float)              \
  __TESSERA_SHUFFLE_64(name, mode, argument, bound, long)               \
  __TESSERA_SHUFFLE_64(name, mode, argument, bound, unsigned long)      \
  __TESSERA_SHUFFLE_64(name, mode, argument, bound, long long)          \
  __TESSERA_SHUFFLE_64(name, mode, argument, bound, unsigned long long) \
  __TESSERA_SHUFFLE_64(name, mode, argument, bound, double)
__TESSERA_SHUFFLE(__shfl_sync, "idx", int lane, 0x1f)
__TESSERA_SHUFFLE(__shfl_up_sync, "up", unsigned int lane, 0)
__TESSERA_SHUFFLE(__shfl_down_sync, "down", unsigned int lane, 0x1f)
__TESSERA_SHUFFLE(__shfl_xor_sync, "bfly", int lane, 0x1f)
#undef __TESSERA_SHUFFLE
#undef __TESSERA_SHUFFLE_64
#undef __TESSERA_SHUFFLE_32

#define __TESSERA_MATCH(T, Bits, letter, bits)                                       \
  __TESSERA_FN unsigned int __match_any_sync(unsigned int mask, T value) {           \
    unsigned int result;                                                             \
    asm volatile("match.any.sync." bits " %0, %1, %2;"                               \
                 : "=r"(result)                                                      \
                 : letter(__builtin_bit_cast(Bits, value)), "r"(mask)                \
                 : "memory");                                                        \
    return result;                                                                   \
  }                                                                                  \
  __TESSERA_FN unsigned int __match_all_sync(unsigned int mask, T value, int* all) { \
    unsigned int result;                                                             \
    int same;                                                                        \
    asm volatile("{ .reg .pred %%p; match.all.sync." bits                            \
                 " %0|%%p, %2, %3;"                                                  \
                 " selp.s32 %1, 1, 0, %%p; }"                                        \
                 : "=r"(result), "=r"(same)                                          \
                 : letter(__builtin_bit_cast(Bits, value)), "r"(mask)                \
                 : "memory");                                                        \
    *all = same;                                                                     \
    return result;                                                                   \
  }
__TESSERA_MATCH(int, unsigned int, "r", "b32")
__TESSERA_MATCH(unsigned int, unsigned int, "r", "b32")
__TESSERA_MATCH(float, unsigned int, "r", "b32")
__TESSERA_MATCH(long, unsigned long long, "l", "b64")
__TESSERA_MATCH(unsigned long, unsigned long long, "l", "b64")
__TESSERA_MATCH(long long, unsigned long long, "l", "b64")
__TESSERA_MATCH(unsigned long long, unsigned long long, "l", "b64")
__TESSERA_MATCH(double, unsigned long long, "l", "b64")
#undef __TESSERA_MATCH

#define __TESSERA_REDUCE(name, T, operation)            \
  __TESSERA_FN T name(unsigned int mask, T value) {     \
    T result;                                           \
    asm volatile("redux.sync." operation " %0, %1, %2;" \
                 : "=r"(result)                         \
                 : "r"(value), "r"(mask)                \
                 : "memory");                           \
    return result;                                      \
  }
__TESSERA_REDUCE(__reduce_add_sync, int, "add.s32")
__TESSERA_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
__TESSERA_REDUCE(__reduce_min_sync, int, "min.s32")
__TESSERA_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
__TESSERA_REDUCE(__reduce_max_sync, int, "max.s32")
__TESSERA_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
__TESSERA_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
__TESSERA_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
__TESSERA_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef __TESSERA_REDUCE
