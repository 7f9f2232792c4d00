// Atomic functions and memory fences. Device-wide forms are compiler builtins, so that the address
// space is known if the optimiser can find it; the forms with a scope are written in PTX.
#pragma once
#pragma clang system_header

#include "language.cuh"

#define __TESSERA_ATOMIC(function, T, builtin)        \
  __TESSERA_FN T function(T* address, T value) {      \
    return builtin(address, value, __ATOMIC_RELAXED); \
  }
#define __TESSERA_SCOPED(function, T, Bits, letter, operation)           \
  __TESSERA_FN T function(T* address, T value) {                         \
    Bits old;                                                            \
    asm volatile("atom." operation " %0, [%1], %2;"                      \
                 : "=" letter(old)                                       \
                 : "l"(address), letter(__builtin_bit_cast(Bits, value)) \
                 : "memory");                                            \
    return __builtin_bit_cast(T, old);                                   \
  }
#define __TESSERA_SCOPES(function, T, Bits, letter, operation)          \
  __TESSERA_SCOPED(function##_block, T, Bits, letter, "cta." operation) \
  __TESSERA_SCOPED(function##_system, T, Bits, letter, "sys." operation)
#define __TESSERA_BOTH(function, T, builtin, letter, operation) \
  __TESSERA_ATOMIC(function, T, builtin)                        \
  __TESSERA_SCOPES(function, T, T, letter, operation)

__TESSERA_BOTH(atomicAdd, int, __atomic_fetch_add, "r", "add.s32")
__TESSERA_BOTH(atomicAdd, unsigned int, __atomic_fetch_add, "r", "add.u32")
__TESSERA_BOTH(atomicAdd, unsigned long long, __atomic_fetch_add, "l", "add.u64")
__TESSERA_SCOPES(atomicAdd, float, float, "f", "add.f32")
__TESSERA_SCOPES(atomicAdd, double, double, "d", "add.f64")
__TESSERA_FN float atomicAdd(float* address, float value) {
  return __nvvm_atom_add_gen_f(address, value);
}
__TESSERA_FN double atomicAdd(double* address, double value) {
  return __nvvm_atom_add_gen_d(address, value);
}

__TESSERA_ATOMIC(atomicSub, int, __atomic_fetch_sub)
__TESSERA_ATOMIC(atomicSub, unsigned int, __atomic_fetch_sub)
#define __TESSERA_SUB(scope, T)                                  \
  __TESSERA_FN T atomicSub##scope(T* address, T value) {         \
    return atomicAdd##scope(address, static_cast<T>(0) - value); \
  }
__TESSERA_SUB(_block, int)
__TESSERA_SUB(_block, unsigned int)
__TESSERA_SUB(_system, int)
__TESSERA_SUB(_system, unsigned int)
#undef __TESSERA_SUB

#define __TESSERA_INTEGER(T, letter, sign, bits)                             \
  __TESSERA_BOTH(atomicMin, T, __atomic_fetch_min, letter, "min." sign bits) \
  __TESSERA_BOTH(atomicMax, T, __atomic_fetch_max, letter, "max." sign bits) \
  __TESSERA_BOTH(atomicAnd, T, __atomic_fetch_and, letter, "and.b" bits)     \
  __TESSERA_BOTH(atomicOr, T, __atomic_fetch_or, letter, "or.b" bits)        \
  __TESSERA_BOTH(atomicXor, T, __atomic_fetch_xor, letter, "xor.b" bits)
__TESSERA_INTEGER(int, "r", "s", "32")
__TESSERA_INTEGER(unsigned int, "r", "u", "32")
__TESSERA_INTEGER(long long, "l", "s", "64")
__TESSERA_INTEGER(unsigned long long, "l", "u", "64")
#undef __TESSERA_INTEGER

// Clang turns an exchange whose result is not used into a store, unless the address is volatile.
#define __TESSERA_EXCHANGE(address, value, order) \
  __atomic_exchange_n(const_cast<volatile __typeof__(*(address))*>(address), value, order)
__TESSERA_BOTH(atomicExch, int, __TESSERA_EXCHANGE, "r", "exch.b32")
__TESSERA_BOTH(atomicExch, unsigned int, __TESSERA_EXCHANGE, "r", "exch.b32")
__TESSERA_BOTH(atomicExch, unsigned long long, __TESSERA_EXCHANGE, "l", "exch.b64")
__TESSERA_SCOPES(atomicExch, float, unsigned int, "r", "exch.b32")
__TESSERA_FN float atomicExch(float* address, float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  return __builtin_bit_cast(
      float, __TESSERA_EXCHANGE(reinterpret_cast<unsigned int*>(address), bits, __ATOMIC_RELAXED));
}

#undef __TESSERA_EXCHANGE

// atomicInc wraps to 0 if the old value is at or above the limit; atomicDec wraps to the limit if
// the old value is 0 or above the limit.
__TESSERA_SCOPES(atomicInc, unsigned int, unsigned int, "r", "inc.u32")
__TESSERA_SCOPES(atomicDec, unsigned int, unsigned int, "r", "dec.u32")
__TESSERA_FN unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_inc_gen_ui(address, limit);
}
__TESSERA_FN unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_dec_gen_ui(address, limit);
}

#define __TESSERA_CAS_SCOPED(function, T, letter, operation)     \
  __TESSERA_FN T function(T* address, T expected, T value) {     \
    T old;                                                       \
    asm volatile("atom." operation " %0, [%1], %2, %3;"          \
                 : "=" letter(old)                               \
                 : "l"(address), letter(expected), letter(value) \
                 : "memory");                                    \
    return old;                                                  \
  }
#define __TESSERA_CAS(T, letter, operation)                                         \
  __TESSERA_FN T atomicCAS(T* address, T expected, T value) {                       \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, \
                                __ATOMIC_RELAXED);                                  \
    return expected;                                                                \
  }                                                                                 \
  __TESSERA_CAS_SCOPED(atomicCAS_block, T, letter, "cta." operation)                \
  __TESSERA_CAS_SCOPED(atomicCAS_system, T, letter, "sys." operation)
__TESSERA_CAS(int, "r", "cas.b32")
__TESSERA_CAS(unsigned int, "r", "cas.b32")
__TESSERA_CAS(unsigned long long, "l", "cas.b64")
__TESSERA_CAS_SCOPED(atomicCAS, unsigned short, "h", "cas.b16")
__TESSERA_CAS_SCOPED(atomicCAS_block, unsigned short, "h", "cta.cas.b16")
__TESSERA_CAS_SCOPED(atomicCAS_system, unsigned short, "h", "sys.cas.b16")

#undef __TESSERA_CAS
#undef __TESSERA_CAS_SCOPED
#undef __TESSERA_BOTH
#undef __TESSERA_SCOPES
#undef __TESSERA_SCOPED
#undef __TESSERA_ATOMIC

__TESSERA_FN void __threadfence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
__TESSERA_FN void __threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}
__TESSERA_FN void __threadfence_system() {
  asm volatile("membar.sys;" ::: "memory");
}
