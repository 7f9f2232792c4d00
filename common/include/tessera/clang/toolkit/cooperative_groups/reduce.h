// reduce() over a tile or a coalesced group, for Clang. Integers of 32 bits take one instruction if
// the device has it; other types, and tiles of fewer than 16 threads, use shuffles.
#pragma once
#pragma clang system_header

#include <cooperative_groups.h>

namespace cooperative_groups {

#define __TESSERA_OPERATION(name, expression)                              \
  template <class T>                                                       \
  struct name {                                                            \
    __TESSERA_MEMBER T operator()(T a, T b) const { return (expression); } \
  };
__TESSERA_OPERATION(plus, a + b)
__TESSERA_OPERATION(less, b < a ? b : a)
__TESSERA_OPERATION(greater, a < b ? b : a)
__TESSERA_OPERATION(bit_and, a& b)
__TESSERA_OPERATION(bit_or, a | b)
__TESSERA_OPERATION(bit_xor, a ^ b)
#undef __TESSERA_OPERATION

/// The one instruction that does `Operation` for all lanes of a mask.
template <class Operation>
struct __tessera_redux {
  static constexpr bool exists = false;
};
#if __CUDA_ARCH__ >= 800
#define __TESSERA_REDUX(Operation, T, U, function)                  \
  template <>                                                       \
  struct __tessera_redux<Operation<T>> {                            \
    static constexpr bool exists = true;                            \
    __TESSERA_MEMBER static T of(unsigned int mask, T value) {      \
      return static_cast<T>(function(mask, static_cast<U>(value))); \
    }                                                               \
  };
#define __TESSERA_REDUX_OF_BOTH(Operation, Signed, function) \
  __TESSERA_REDUX(Operation, int, Signed, function)          \
  __TESSERA_REDUX(Operation, unsigned int, unsigned int, function)
__TESSERA_REDUX_OF_BOTH(plus, int, __reduce_add_sync)
__TESSERA_REDUX_OF_BOTH(less, int, __reduce_min_sync)
__TESSERA_REDUX_OF_BOTH(greater, int, __reduce_max_sync)
__TESSERA_REDUX_OF_BOTH(bit_and, unsigned int, __reduce_and_sync)
__TESSERA_REDUX_OF_BOTH(bit_or, unsigned int, __reduce_or_sync)
__TESSERA_REDUX_OF_BOTH(bit_xor, unsigned int, __reduce_xor_sync)
#undef __TESSERA_REDUX_OF_BOTH
#undef __TESSERA_REDUX
#endif

template <unsigned int Size, class Parent, class T, class Operation>
__TESSERA_FN T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  if constexpr (Size >= 16 && __tessera_redux<Operation>::exists) {
    return __tessera_redux<Operation>::of(tile.__mask(), value);
  } else {
#pragma unroll
    for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
      value = operation(value, tile.shfl_xor(value, lanes));
    return value;
  }
}

template <class T, class Operation>
__TESSERA_FN T reduce(const coalesced_group& group, T value, Operation operation) {
  if constexpr (__tessera_redux<Operation>::exists) {
    return __tessera_redux<Operation>::of(group.__mask(), value);
  } else {
    for (unsigned int delta = 16; delta > 0; delta /= 2) {
      const T other = group.shfl_down(value, delta);
      if (group.thread_rank() + delta < group.size()) value = operation(value, other);
    }
    return group.shfl(value, 0);
  }
}

}  // namespace cooperative_groups
