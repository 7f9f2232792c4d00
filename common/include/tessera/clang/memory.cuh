// Loads and stores with a cache hint: __ldg, __ldcg, __stcs, ... for every type that one
// instruction moves, as the bits it is made of. And reinterpret_cast.
#pragma once
#pragma clang system_header

#include "types.cuh"

template <size_t Size>
struct __tessera_bits;
template <>
struct __tessera_bits<1> {
  using type = unsigned char;
};
template <>
struct __tessera_bits<2> {
  using type = unsigned short;
};
template <>
struct __tessera_bits<4> {
  using type = unsigned int;
};
template <>
struct __tessera_bits<8> {
  using type = unsigned long long;
};
template <>
struct __tessera_bits<16> {
  using type = ulonglong2;
};

#define __TESSERA_LOAD(name, hint, clobber)                                            \
  __TESSERA_FN void __tessera##name(const void* address, unsigned char& x) {           \
    unsigned short wide;                                                               \
    asm volatile("ld.global" hint ".u8 %0, [%1];" : "=h"(wide) : "l"(address)clobber); \
    x = static_cast<unsigned char>(wide);                                              \
  }                                                                                    \
  __TESSERA_FN void __tessera##name(const void* address, unsigned short& x) {          \
    asm volatile("ld.global" hint ".u16 %0, [%1];" : "=h"(x) : "l"(address)clobber);   \
  }                                                                                    \
  __TESSERA_FN void __tessera##name(const void* address, unsigned int& x) {            \
    asm volatile("ld.global" hint ".u32 %0, [%1];" : "=r"(x) : "l"(address)clobber);   \
  }                                                                                    \
  __TESSERA_FN void __tessera##name(const void* address, unsigned long long& x) {      \
    asm volatile("ld.global" hint ".u64 %0, [%1];" : "=l"(x) : "l"(address)clobber);   \
  }                                                                                    \
  __TESSERA_FN void __tessera##name(const void* address, ulonglong2& x) {              \
    asm volatile("ld.global" hint ".v2.u64 {%0, %1}, [%2];"                            \
                 : "=l"(x.x), "=l"(x.y)                                                \
                 : "l"(address)clobber);                                               \
  }                                                                                    \
  template <class T>                                                                   \
  __TESSERA_FN T name(const T* address) {                                              \
    typename __tessera_bits<sizeof(T)>::type bits;                                     \
    __tessera##name(address, bits);                                                    \
    T value;                                                                           \
    __builtin_memcpy(&value, &bits, sizeof value);                                     \
    return value;                                                                      \
  }

#define __TESSERA_STORE(name, hint)                                                            \
  __TESSERA_FN void __tessera##name(void* address, unsigned char x) {                          \
    const unsigned short wide = x;                                                             \
    asm volatile("st.global" hint ".u8 [%0], %1;" ::"l"(address), "h"(wide) : "memory");       \
  }                                                                                            \
  __TESSERA_FN void __tessera##name(void* address, unsigned short x) {                         \
    asm volatile("st.global" hint ".u16 [%0], %1;" ::"l"(address), "h"(x) : "memory");         \
  }                                                                                            \
  __TESSERA_FN void __tessera##name(void* address, unsigned int x) {                           \
    asm volatile("st.global" hint ".u32 [%0], %1;" ::"l"(address), "r"(x) : "memory");         \
  }                                                                                            \
  __TESSERA_FN void __tessera##name(void* address, unsigned long long x) {                     \
    asm volatile("st.global" hint ".u64 [%0], %1;" ::"l"(address), "l"(x) : "memory");         \
  }                                                                                            \
  __TESSERA_FN void __tessera##name(void* address, ulonglong2 x) {                             \
    asm volatile("st.global" hint ".v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(x.x), "l"(x.y) \
                 : "memory");                                                                  \
  }                                                                                            \
  template <class T>                                                                           \
  __TESSERA_FN void name(T* address, typename std::__tessera_plain<T>::type value) {           \
    typename __tessera_bits<sizeof(T)>::type bits;                                             \
    __builtin_memcpy(&bits, &value, sizeof bits);                                              \
    __tessera##name(address, bits);                                                            \
  }

__TESSERA_LOAD(__ldg, ".nc", )
__TESSERA_LOAD(__ldca, ".ca", : "memory")
__TESSERA_LOAD(__ldcg, ".cg", : "memory")
__TESSERA_LOAD(__ldcs, ".cs", : "memory")
__TESSERA_LOAD(__ldlu, ".lu", : "memory")
__TESSERA_LOAD(__ldcv, ".cv", : "memory")
__TESSERA_STORE(__stwb, ".wb")
__TESSERA_STORE(__stcg, ".cg")
__TESSERA_STORE(__stcs, ".cs")
__TESSERA_STORE(__stwt, ".wt")
#undef __TESSERA_LOAD
#undef __TESSERA_STORE

// Of `*reinterpret_cast<float4*>(&tile[i])` Clang knows that tile is an array of float, aligned to
// 4 bytes, and loads four times to make a float4 of it. If the pointer comes from a function, Clang
// takes it to be aligned as a float4 is.
template <class To, class From>
__TESSERA_HD constexpr To __tessera_reinterpret_cast(From&& from) {
  return reinterpret_cast<To>(static_cast<From&&>(from));
}
#define reinterpret_cast __tessera_reinterpret_cast
