// Numbers of 16 bits, for Clang without the CUDA Toolkit: what <cuda_bf16.h> and <cuda_fp16.h> have
// in common. Arithmetic is done in float and rounded; a float has enough bits for that to give what
// an operation of 16 bits gives.
#pragma once
#pragma clang system_header

/// Defines the type `name` and a pair of them, `name2`. `TO` and `FROM` are the instructions of PTX
/// that round a float to it and that widen it; `word` stands for the type in names of functions.
#define __TESSERA_SIXTEEN_BITS(name, pair, word, TO, FROM)                                 \
  struct name {                                                                            \
    unsigned short __bits;                                                                 \
    name() = default;                                                                      \
    __TESSERA_MEMBER name(float value) { asm(TO " %0, %1;" : "=h"(__bits) : "f"(value)); } \
    __TESSERA_MEMBER name(double value) : name(static_cast<float>(value)) {}               \
    __TESSERA_MEMBER name(int value) : name(static_cast<float>(value)) {}                  \
    __TESSERA_MEMBER name(unsigned value) : name(static_cast<float>(value)) {}             \
    __TESSERA_MEMBER operator float() const {                                              \
      float value;                                                                         \
      asm(FROM : "=f"(value) : "h"(__bits));                                               \
      return value;                                                                        \
    }                                                                                      \
    __TESSERA_MEMBER name& operator+=(name other) {                                        \
      return *this = name(static_cast<float>(*this) + static_cast<float>(other));          \
    }                                                                                      \
    __TESSERA_MEMBER name& operator-=(name other) {                                        \
      return *this = name(static_cast<float>(*this) - static_cast<float>(other));          \
    }                                                                                      \
    __TESSERA_MEMBER name& operator*=(name other) {                                        \
      return *this = name(static_cast<float>(*this) * static_cast<float>(other));          \
    }                                                                                      \
    __TESSERA_MEMBER name& operator/=(name other) {                                        \
      return *this = name(static_cast<float>(*this) / static_cast<float>(other));          \
    }                                                                                      \
  };                                                                                       \
  struct __attribute__((aligned(4))) pair {                                                \
    name x, y;                                                                             \
  };                                                                                       \
  __TESSERA_FN name operator+(name a, name b) {                                            \
    return a += b;                                                                         \
  }                                                                                        \
  __TESSERA_FN name operator-(name a, name b) {                                            \
    return a -= b;                                                                         \
  }                                                                                        \
  __TESSERA_FN name operator*(name a, name b) {                                            \
    return a *= b;                                                                         \
  }                                                                                        \
  __TESSERA_FN name operator/(name a, name b) {                                            \
    return a /= b;                                                                         \
  }                                                                                        \
  __TESSERA_FN name operator-(name a) {                                                    \
    a.__bits ^= 0x8000;                                                                    \
    return a;                                                                              \
  }                                                                                        \
  __TESSERA_FN name __hadd(name a, name b) {                                               \
    return a + b;                                                                          \
  }                                                                                        \
  __TESSERA_FN name __hsub(name a, name b) {                                               \
    return a - b;                                                                          \
  }                                                                                        \
  __TESSERA_FN name __hmul(name a, name b) {                                               \
    return a * b;                                                                          \
  }                                                                                        \
  __TESSERA_FN name __hdiv(name a, name b) {                                               \
    return a / b;                                                                          \
  }                                                                                        \
  __TESSERA_FN name __hneg(name a) {                                                       \
    return -a;                                                                             \
  }                                                                                        \
  __TESSERA_FN bool __heq(name a, name b) {                                                \
    return static_cast<float>(a) == static_cast<float>(b);                                 \
  }                                                                                        \
  __TESSERA_FN bool __hlt(name a, name b) {                                                \
    return static_cast<float>(a) < static_cast<float>(b);                                  \
  }                                                                                        \
  __TESSERA_FN bool __hgt(name a, name b) {                                                \
    return __hlt(b, a);                                                                    \
  }                                                                                        \
  __TESSERA_FN bool operator==(name a, name b) {                                           \
    return __heq(a, b);                                                                    \
  }                                                                                        \
  __TESSERA_FN bool operator!=(name a, name b) {                                           \
    return !__heq(a, b);                                                                   \
  }                                                                                        \
  __TESSERA_FN bool operator<(name a, name b) {                                            \
    return __hlt(a, b);                                                                    \
  }                                                                                        \
  __TESSERA_FN bool operator>(name a, name b) {                                            \
    return __hlt(b, a);                                                                    \
  }                                                                                        \
  __TESSERA_FN bool operator<=(name a, name b) {                                           \
    return static_cast<float>(a) <= static_cast<float>(b);                                 \
  }                                                                                        \
  __TESSERA_FN bool operator>=(name a, name b) {                                           \
    return b <= a;                                                                         \
  }                                                                                        \
  __TESSERA_FN name __float2##word(float value) {                                          \
    return name(value);                                                                    \
  }                                                                                        \
  __TESSERA_FN name __float2##word##_rn(float value) {                                     \
    return name(value);                                                                    \
  }                                                                                        \
  __TESSERA_FN float __##word##2float(name value) {                                        \
    return value;                                                                          \
  }                                                                                        \
  __TESSERA_FN unsigned short __##word##_as_ushort(name value) {                           \
    return value.__bits;                                                                   \
  }                                                                                        \
  __TESSERA_FN name __ushort_as_##word(unsigned short bits) {                              \
    name value;                                                                            \
    value.__bits = bits;                                                                   \
    return value;                                                                          \
  }                                                                                        \
  __TESSERA_FN pair __floats2##word##2_rn(float x, float y) {                              \
    return {name(x), name(y)};                                                             \
  }                                                                                        \
  __TESSERA_FN pair __float22##word##2_rn(float2 from) {                                   \
    return {name(from.x), name(from.y)};                                                   \
  }                                                                                        \
  __TESSERA_FN float2 __##word##22float2(pair from) {                                      \
    return {float(from.x), float(from.y)};                                                 \
  }                                                                                        \
  __TESSERA_FN pair __halves2##word##2(name x, name y) {                                   \
    return {x, y};                                                                         \
  }                                                                                        \
  __TESSERA_FN pair __##word##2##word##2(name both) {                                      \
    return {both, both};                                                                   \
  }                                                                                        \
  __TESSERA_FN name __low2##word(pair from) {                                              \
    return from.x;                                                                         \
  }                                                                                        \
  __TESSERA_FN name __high2##word(pair from) {                                             \
    return from.y;                                                                         \
  }                                                                                        \
  __TESSERA_FN float __low2float(pair from) {                                              \
    return from.x;                                                                         \
  }                                                                                        \
  __TESSERA_FN float __high2float(pair from) {                                             \
    return from.y;                                                                         \
  }                                                                                        \
  __TESSERA_FN pair __hadd2(pair a, pair b) {                                              \
    return {a.x + b.x, a.y + b.y};                                                         \
  }                                                                                        \
  __TESSERA_FN pair __hsub2(pair a, pair b) {                                              \
    return {a.x - b.x, a.y - b.y};                                                         \
  }                                                                                        \
  __TESSERA_FN pair __hmul2(pair a, pair b) {                                              \
    return {a.x * b.x, a.y * b.y};                                                         \
  }
