// Intrinsics that are one instruction or a few: rounding modes, conversions, bits, loads and stores
// with a cache hint, clocks.
#pragma once
#pragma clang system_header

#include "types.cuh"

// --- Reinterpretation ------------------------------------------------------------------------

__TESSERA_HD int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
__TESSERA_HD unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
__TESSERA_HD float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__TESSERA_HD float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
__TESSERA_HD long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__TESSERA_HD double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
__TESSERA_HD int __double2hiint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32);
}
__TESSERA_HD int __double2loint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x));
}
__TESSERA_HD double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(static_cast<unsigned>(high))
                                            << 32 |
                                        static_cast<unsigned>(low));
}

// --- Arithmetic with a rounding mode ---------------------------------------------------------

#define __TESSERA_UNARY(name, T, letter, instruction)             \
  __TESSERA_FN T name(T x) {                                      \
    T result;                                                     \
    asm(instruction " %0, %1;" : "=" letter(result) : letter(x)); \
    return result;                                                \
  }
#define __TESSERA_BINARY(name, T, letter, instruction)                           \
  __TESSERA_FN T name(T x, T y) {                                                \
    T result;                                                                    \
    asm(instruction " %0, %1, %2;" : "=" letter(result) : letter(x), letter(y)); \
    return result;                                                               \
  }
#define __TESSERA_TERNARY(name, T, letter, instruction)                                         \
  __TESSERA_FN T name(T x, T y, T z) {                                                          \
    T result;                                                                                   \
    asm(instruction " %0, %1, %2, %3;" : "=" letter(result) : letter(x), letter(y), letter(z)); \
    return result;                                                                              \
  }
#define __TESSERA_ROUNDED(name, shape, T, letter, operation, type) \
  shape(name##_rn, T, letter, operation ".rn." type)               \
      shape(name##_rz, T, letter, operation ".rz." type)           \
          shape(name##_ru, T, letter, operation ".rp." type)       \
              shape(name##_rd, T, letter, operation ".rm." type)

__TESSERA_ROUNDED(__fadd, __TESSERA_BINARY, float, "f", "add", "f32")
__TESSERA_ROUNDED(__fsub, __TESSERA_BINARY, float, "f", "sub", "f32")
__TESSERA_ROUNDED(__fmul, __TESSERA_BINARY, float, "f", "mul", "f32")
__TESSERA_ROUNDED(__fdiv, __TESSERA_BINARY, float, "f", "div", "f32")
__TESSERA_ROUNDED(__fmaf, __TESSERA_TERNARY, float, "f", "fma", "f32")
__TESSERA_ROUNDED(__frcp, __TESSERA_UNARY, float, "f", "rcp", "f32")
__TESSERA_ROUNDED(__fsqrt, __TESSERA_UNARY, float, "f", "sqrt", "f32")
__TESSERA_ROUNDED(__dadd, __TESSERA_BINARY, double, "d", "add", "f64")
__TESSERA_ROUNDED(__dsub, __TESSERA_BINARY, double, "d", "sub", "f64")
__TESSERA_ROUNDED(__dmul, __TESSERA_BINARY, double, "d", "mul", "f64")
__TESSERA_ROUNDED(__ddiv, __TESSERA_BINARY, double, "d", "div", "f64")
__TESSERA_ROUNDED(__fma, __TESSERA_TERNARY, double, "d", "fma", "f64")
__TESSERA_ROUNDED(__drcp, __TESSERA_UNARY, double, "d", "rcp", "f64")
__TESSERA_ROUNDED(__dsqrt, __TESSERA_UNARY, double, "d", "sqrt", "f64")
__TESSERA_UNARY(__saturatef, float, "f", "cvt.sat.f32.f32")

// --- Fast, approximate -----------------------------------------------------------------------

__TESSERA_UNARY(__tessera_ex2, float, "f", "ex2.approx.ftz.f32")
__TESSERA_UNARY(__tessera_lg2, float, "f", "lg2.approx.f32")
__TESSERA_UNARY(__tessera_rsqrt, float, "f", "rsqrt.approx.f32")
__TESSERA_UNARY(__tessera_rsqrt, double, "d", "rsqrt.approx.f64")
__TESSERA_UNARY(__sinf, float, "f", "sin.approx.f32")
__TESSERA_UNARY(__cosf, float, "f", "cos.approx.f32")
__TESSERA_UNARY(__tanhf, float, "f", "tanh.approx.f32")
__TESSERA_BINARY(__fdividef, float, "f", "div.approx.f32")
__TESSERA_FN float __frsqrt_rn(float x) {
  return static_cast<float>(__drcp_rn(__dsqrt_rn(static_cast<double>(x))));
}
__TESSERA_FN float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
__TESSERA_FN void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
// ex2.approx without .ftz keeps subnormal results.
__TESSERA_UNARY(__exp2f, float, "f", "ex2.approx.f32")
__TESSERA_FN float __expf(float x) {
  return __exp2f(x * 1.44269504f);
}
__TESSERA_FN float __exp10f(float x) {
  return __exp2f(x * 3.32192809f);
}
__TESSERA_FN float __log2f(float x) {
  return __tessera_lg2(x);
}
__TESSERA_FN float __logf(float x) {
  return __tessera_lg2(x) * 0.693147181f;
}
__TESSERA_FN float __log10f(float x) {
  return __tessera_lg2(x) * 0.301029996f;
}
__TESSERA_FN float __powf(float x, float y) {
  return __exp2f(y * __tessera_lg2(x));
}

// --- Conversions -----------------------------------------------------------------------------

#define __TESSERA_CONVERT(name, To, to, From, from, instruction) \
  __TESSERA_FN To name(From x) {                                 \
    To result;                                                   \
    asm(instruction " %0, %1;" : "=" to(result) : from(x));      \
    return result;                                               \
  }
#define __TESSERA_CONVERT_4(name, To, to, From, from, infix, types)      \
  __TESSERA_CONVERT(name##_rn, To, to, From, from, "cvt.rn" infix types) \
  __TESSERA_CONVERT(name##_rz, To, to, From, from, "cvt.rz" infix types) \
  __TESSERA_CONVERT(name##_ru, To, to, From, from, "cvt.rp" infix types) \
  __TESSERA_CONVERT(name##_rd, To, to, From, from, "cvt.rm" infix types)

__TESSERA_CONVERT_4(__float2int, int, "r", float, "f", "i", ".s32.f32")
__TESSERA_CONVERT_4(__float2uint, unsigned int, "r", float, "f", "i", ".u32.f32")
__TESSERA_CONVERT_4(__float2ll, long long, "l", float, "f", "i", ".s64.f32")
__TESSERA_CONVERT_4(__float2ull, unsigned long long, "l", float, "f", "i", ".u64.f32")
__TESSERA_CONVERT_4(__double2int, int, "r", double, "d", "i", ".s32.f64")
__TESSERA_CONVERT_4(__double2uint, unsigned int, "r", double, "d", "i", ".u32.f64")
__TESSERA_CONVERT_4(__double2ll, long long, "l", double, "d", "i", ".s64.f64")
__TESSERA_CONVERT_4(__double2ull, unsigned long long, "l", double, "d", "i", ".u64.f64")
__TESSERA_CONVERT_4(__double2float, float, "f", double, "d", "", ".f32.f64")
__TESSERA_CONVERT_4(__int2float, float, "f", int, "r", "", ".f32.s32")
__TESSERA_CONVERT_4(__uint2float, float, "f", unsigned int, "r", "", ".f32.u32")
__TESSERA_CONVERT_4(__ll2float, float, "f", long long, "l", "", ".f32.s64")
__TESSERA_CONVERT_4(__ull2float, float, "f", unsigned long long, "l", "", ".f32.u64")
__TESSERA_CONVERT_4(__ll2double, double, "d", long long, "l", "", ".f64.s64")
__TESSERA_CONVERT_4(__ull2double, double, "d", unsigned long long, "l", "", ".f64.u64")
__TESSERA_HD double __int2double_rn(int x) {
  return x;
}
__TESSERA_HD double __uint2double_rn(unsigned int x) {
  return x;
}
#undef __TESSERA_CONVERT_4

// --- Integers and bits -----------------------------------------------------------------------

__TESSERA_HD int __mul24(int x, int y) {
  return ((x << 8) >> 8) * ((y << 8) >> 8);
}
__TESSERA_HD unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
__TESSERA_BINARY(__mulhi, int, "r", "mul.hi.s32")
__TESSERA_BINARY(__umulhi, unsigned int, "r", "mul.hi.u32")
__TESSERA_BINARY(__mul64hi, long long, "l", "mul.hi.s64")
__TESSERA_BINARY(__umul64hi, unsigned long long, "l", "mul.hi.u64")
__TESSERA_HD int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
__TESSERA_HD int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
__TESSERA_CONVERT(__clz, int, "r", int, "r", "clz.b32")
__TESSERA_CONVERT(__clzll, int, "r", long long, "l", "clz.b64")
__TESSERA_HD int __ffs(int x) {
  return __builtin_ffs(x);
}
__TESSERA_HD int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
__TESSERA_HD unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
__TESSERA_HD unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__TESSERA_TERNARY(__funnelshift_l, unsigned int, "r", "shf.l.wrap.b32")
__TESSERA_TERNARY(__funnelshift_lc, unsigned int, "r", "shf.l.clamp.b32")
__TESSERA_TERNARY(__funnelshift_r, unsigned int, "r", "shf.r.wrap.b32")
__TESSERA_TERNARY(__funnelshift_rc, unsigned int, "r", "shf.r.clamp.b32")
__TESSERA_TERNARY(__usad, unsigned int, "r", "sad.u32")
// The instruction takes the highest bit of a selector for the sign of the byte.
__TESSERA_FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selectors) {
  unsigned int result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(selectors & 0x7777));
  return result;
}
__TESSERA_FN unsigned int __sad(int x, int y, unsigned int z) {
  unsigned int result;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
__TESSERA_HD int __hadd(int x, int y) {
  return (x & y) + ((x ^ y) >> 1);
}
__TESSERA_HD int __rhadd(int x, int y) {
  return (x | y) - ((x ^ y) >> 1);
}
__TESSERA_HD unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (x & y) + ((x ^ y) >> 1);
}
__TESSERA_HD unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (x | y) - ((x ^ y) >> 1);
}

// Dot products of four bytes, or of two 16-bit and two 8-bit parts, and an addend.
#define __TESSERA_DOT(name, A, B, C, instruction)                                    \
  __TESSERA_FN C name(A a, B b, C c) {                                               \
    C result;                                                                        \
    asm(instruction " %0, %1, %2, %3;"                                               \
        : "=r"(result)                                                               \
        : "r"(__builtin_bit_cast(int, a)), "r"(__builtin_bit_cast(int, b)), "r"(c)); \
    return result;                                                                   \
  }
__TESSERA_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
__TESSERA_DOT(__dp4a, unsigned int, unsigned int, unsigned int, "dp4a.u32.u32")
__TESSERA_DOT(__dp4a, char4, char4, int, "dp4a.s32.s32")
__TESSERA_DOT(__dp4a, uchar4, uchar4, unsigned int, "dp4a.u32.u32")
__TESSERA_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
__TESSERA_DOT(__dp2a_lo, unsigned int, unsigned int, unsigned int, "dp2a.lo.u32.u32")
__TESSERA_DOT(__dp2a_lo, short2, char4, int, "dp2a.lo.s32.s32")
__TESSERA_DOT(__dp2a_lo, ushort2, uchar4, unsigned int, "dp2a.lo.u32.u32")
__TESSERA_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
__TESSERA_DOT(__dp2a_hi, unsigned int, unsigned int, unsigned int, "dp2a.hi.u32.u32")
__TESSERA_DOT(__dp2a_hi, short2, char4, int, "dp2a.hi.s32.s32")
__TESSERA_DOT(__dp2a_hi, ushort2, uchar4, unsigned int, "dp2a.hi.u32.u32")
#undef __TESSERA_DOT

#undef __TESSERA_CONVERT
#undef __TESSERA_ROUNDED
#undef __TESSERA_TERNARY
#undef __TESSERA_BINARY
#undef __TESSERA_UNARY

// --- Clocks, traps, address spaces -----------------------------------------------------------

__TESSERA_FN clock_t clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return ticks;
}
__TESSERA_FN long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}
__TESSERA_FN void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
__TESSERA_FN void __trap() {
  asm volatile("trap;");
}
__TESSERA_FN void __brkpt() {
  asm volatile("brkpt;");
}
#define __prof_trigger(event) asm volatile("pmevent %0;" ::"n"(event))

#define __TESSERA_SPACE(Space, space)                                             \
  __TESSERA_FN unsigned int __is##Space(const void* pointer) {                    \
    unsigned int result;                                                          \
    asm("{ .reg .pred %%p; isspacep." space " %%p, %1; selp.u32 %0, 1, 0, %%p; }" \
        : "=r"(result)                                                            \
        : "l"(pointer));                                                          \
    return result;                                                                \
  }
__TESSERA_SPACE(Global, "global")
__TESSERA_SPACE(Shared, "shared")
__TESSERA_SPACE(Local, "local")
__TESSERA_SPACE(Constant, "const")
#undef __TESSERA_SPACE

#define __TESSERA_SPACE(name, number)                                           \
  __TESSERA_FN size_t __cvta_generic_to_##name(const void* pointer) {           \
    return (size_t)(const __attribute__((address_space(number))) void*)pointer; \
  }                                                                             \
  __TESSERA_FN void* __cvta_##name##_to_generic(size_t address) {               \
    return (void*)(__attribute__((address_space(number))) void*)address;        \
  }
__TESSERA_SPACE(global, 1)
__TESSERA_SPACE(shared, 3)
__TESSERA_SPACE(constant, 4)
__TESSERA_SPACE(local, 5)
#undef __TESSERA_SPACE
