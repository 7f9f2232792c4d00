// Asynchronous copies for Clang, which compiles without the CUDA Toolkit: the functions of the
// Toolkit's header, as the instructions cp.async of the PTX ISA.
#pragma once
#pragma clang system_header

#include <cuda_awbarrier_primitives.h>

template <int Bytes>
__TESSERA_FN void __tessera_memcpy_async(unsigned int target, const void* source,
                                         unsigned int from_source) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "a copy has 4, 8 or 16 bytes");
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source),
                 "r"(from_source)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(target), "l"(source),
                 "r"(from_source), "n"(Bytes)
                 : "memory");
  }
}

__TESSERA_FN void __pipeline_memcpy_async(void* target, const void* source, size_t bytes,
                                          size_t zeros = 0) {
  const auto shared = static_cast<unsigned int>(__cvta_generic_to_shared(target));
  const auto global = reinterpret_cast<const void*>(__cvta_generic_to_global(source));
  if (zeros > bytes) __trap();
  const auto from_source = static_cast<unsigned int>(bytes - zeros);
  switch (bytes) {
    case 4:
      return __tessera_memcpy_async<4>(shared, global, from_source);
    case 8:
      return __tessera_memcpy_async<8>(shared, global, from_source);
    case 16:
      return __tessera_memcpy_async<16>(shared, global, from_source);
    default:
      __trap();
  }
}

__TESSERA_FN void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int Groups>
__TESSERA_FN void __tessera_wait_prior() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}

/// As the Toolkit's function, it lets at most 8 groups travel on.
__TESSERA_FN void __pipeline_wait_prior(size_t groups) {
  switch (groups) {
    case 0:
      return __tessera_wait_prior<0>();
    case 1:
      return __tessera_wait_prior<1>();
    case 2:
      return __tessera_wait_prior<2>();
    case 3:
      return __tessera_wait_prior<3>();
    case 4:
      return __tessera_wait_prior<4>();
    case 5:
      return __tessera_wait_prior<5>();
    case 6:
      return __tessera_wait_prior<6>();
    case 7:
      return __tessera_wait_prior<7>();
    default:
      return __tessera_wait_prior<8>();
  }
}

/// The phase is not complete before the copies that the thread has begun so far have arrived.
__TESSERA_FN void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__tessera_address(barrier))
               : "memory");
}
