// Vector types (float4, uint2, ...), dim3 and the built-in variables threadIdx, blockIdx, blockDim,
// gridDim, warpSize.
#pragma once
#pragma clang system_header

#include "language.cuh"

// Alignments are those of the CUDA programming guide: a vector of 1, 2 or 4 components is aligned
// to its size, at most to 16 bytes; one of 3 components to its component.
//
// Clang gives an element of a declared array the alignment of the array's type, whatever pointer it
// is reached by, and would assign a float4 there component by component. Its own vectors it assigns
// at once. So a union that holds one is assigned by its members.
#define __TESSERA_ASSIGNED_AT_ONCE(T, name, count, align, one_by_one)                        \
  __TESSERA_HD_MEMBER constexpr name& operator=(const name& from) {                          \
    if (__builtin_is_constant_evaluated()) return one_by_one, *this;                         \
    typedef T vector __attribute__((ext_vector_type(count), aligned(align), __may_alias__)); \
    *reinterpret_cast<vector*>(this) = *reinterpret_cast<const vector*>(&from);              \
    return *this;                                                                            \
  }
#define __TESSERA_VECTOR(T, name, align2, align4, ASSIGNED)                           \
  struct name##1 {                                                                    \
    T x;                                                                              \
  };                                                                                  \
  struct __attribute__((aligned(align2))) name##2 {                                   \
    T x, y;                                                                           \
    ASSIGNED(T, name##2, 2, align2, (x = from.x, y = from.y))                         \
  };                                                                                  \
  struct name##3 {                                                                    \
    T x, y, z;                                                                        \
  };                                                                                  \
  struct __attribute__((aligned(align4))) name##4 {                                   \
    T x, y, z, w;                                                                     \
    ASSIGNED(T, name##4, 4, align4, (x = from.x, y = from.y, z = from.z, w = from.w)) \
  };                                                                                  \
  __TESSERA_HD name##1 make_##name##1(T x) {                                          \
    return {x};                                                                       \
  }                                                                                   \
  __TESSERA_HD name##2 make_##name##2(T x, T y) {                                     \
    return {x, y};                                                                    \
  }                                                                                   \
  __TESSERA_HD name##3 make_##name##3(T x, T y, T z) {                                \
    return {x, y, z};                                                                 \
  }                                                                                   \
  __TESSERA_HD name##4 make_##name##4(T x, T y, T z, T w) {                           \
    return {x, y, z, w};                                                              \
  }
#define __TESSERA_AS_ANY_STRUCT(T, name, count, align, one_by_one)

__TESSERA_VECTOR(signed char, char, 2, 4, __TESSERA_AS_ANY_STRUCT)
__TESSERA_VECTOR(unsigned char, uchar, 2, 4, __TESSERA_AS_ANY_STRUCT)
__TESSERA_VECTOR(short, short, 4, 8, __TESSERA_AS_ANY_STRUCT)
__TESSERA_VECTOR(unsigned short, ushort, 4, 8, __TESSERA_AS_ANY_STRUCT)
__TESSERA_VECTOR(int, int, 8, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(unsigned int, uint, 8, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(long, long, 16, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(unsigned long, ulong, 16, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(long long, longlong, 16, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(unsigned long long, ulonglong, 16, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(float, float, 8, 16, __TESSERA_ASSIGNED_AT_ONCE)
__TESSERA_VECTOR(double, double, 16, 16, __TESSERA_ASSIGNED_AT_ONCE)
#undef __TESSERA_VECTOR
#undef __TESSERA_AS_ANY_STRUCT
#undef __TESSERA_ASSIGNED_AT_ONCE

struct dim3 {
  unsigned int x, y, z;
  __TESSERA_HD_MEMBER constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __TESSERA_HD_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __TESSERA_HD_MEMBER constexpr operator uint3() const { return {x, y, z}; }
};

// Reading a member reads the special register; the variables themselves have no storage.
#define __TESSERA_BUILT_IN(type, variable, reg, result)                                    \
  struct type {                                                                            \
    __declspec(property(get = __x)) unsigned int x;                                        \
    __declspec(property(get = __y)) unsigned int y;                                        \
    __declspec(property(get = __z)) unsigned int z;                                        \
    __TESSERA_MEMBER unsigned int __x() const { return __nvvm_read_ptx_sreg_##reg##_x(); } \
    __TESSERA_MEMBER unsigned int __y() const { return __nvvm_read_ptx_sreg_##reg##_y(); } \
    __TESSERA_MEMBER unsigned int __z() const { return __nvvm_read_ptx_sreg_##reg##_z(); } \
    __TESSERA_MEMBER operator uint3() const { return {__x(), __y(), __z()}; }              \
    __TESSERA_MEMBER operator dim3() const { return {__x(), __y(), __z()}; }               \
    type& operator=(const type&) = delete;                                                 \
  };                                                                                       \
  extern const __attribute__((device, weak)) type variable;

__TESSERA_BUILT_IN(__tessera_thread_index, threadIdx, tid, uint3)
__TESSERA_BUILT_IN(__tessera_block_index, blockIdx, ctaid, uint3)
__TESSERA_BUILT_IN(__tessera_block_extent, blockDim, ntid, dim3)
__TESSERA_BUILT_IN(__tessera_grid_extent, gridDim, nctaid, dim3)
#undef __TESSERA_BUILT_IN

constexpr int warpSize = 32;
