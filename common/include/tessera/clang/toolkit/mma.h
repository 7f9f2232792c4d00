// Products of matrices by a warp (nvcuda::wmma) for Clang, which compiles without the CUDA Toolkit:
// the functions of the Toolkit's header, as the instructions wmma of the PTX ISA.
#pragma once
#pragma clang system_header

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  static_assert(
      sizeof(T) == 0,
      "Clang has fragments of 16 x 16 x 16 only: __nv_bfloat16 and __half of row_major or "
      "col_major for matrix_a and matrix_b, and float for accumulator; for others use "
      "--compiler nvrtc");
};

/// The elements of a fragment that one thread holds. An element of half is held twice.
template <class T>
struct __tessera_factor;
template <>
struct __tessera_factor<__nv_bfloat16> {
  static constexpr int num_elements = 8;
  static constexpr int num_storage_elements = 8;
  union {
    unsigned int __words[4];
    __nv_bfloat16 x[8];
  };
};
template <>
struct __tessera_factor<__half> {
  static constexpr int num_elements = 16;
  static constexpr int num_storage_elements = 16;
  union {
    unsigned int __words[8];
    __half x[16];
  };
};

template <class T, class Layout>
class fragment<matrix_a, 16, 16, 16, T, Layout> : public __tessera_factor<T> {};
template <class T, class Layout>
class fragment<matrix_b, 16, 16, 16, T, Layout> : public __tessera_factor<T> {};
template <>
class fragment<accumulator, 16, 16, 16, float> {
 public:
  static constexpr int num_elements = 8;
  static constexpr int num_storage_elements = 8;
  float x[8];
};

template <class T, class U>
struct __tessera_same {
  static constexpr bool value = false;
};
template <class T>
struct __tessera_same<T, T> {
  static constexpr bool value = true;
};

#define __TESSERA_LOAD_BF16(use, layout)                                                        \
  asm volatile("wmma.load." use ".sync.aligned." layout                                         \
               ".m16n16k16.bf16 {%0, %1, %2, %3}, [%4], "                                       \
               "%5;"                                                                            \
               : "=r"(f.__words[0]), "=r"(f.__words[1]), "=r"(f.__words[2]), "=r"(f.__words[3]) \
               : "l"(from), "r"(stride)                                                         \
               : "memory")
#define __TESSERA_LOAD_F16(use, layout)                                                          \
  asm volatile("wmma.load." use ".sync.aligned." layout                                          \
               ".m16n16k16.f16 "                                                                 \
               "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                                     \
               : "=r"(f.__words[0]), "=r"(f.__words[1]), "=r"(f.__words[2]), "=r"(f.__words[3]), \
                 "=r"(f.__words[4]), "=r"(f.__words[5]), "=r"(f.__words[6]), "=r"(f.__words[7])  \
               : "l"(from), "r"(stride)                                                          \
               : "memory")

template <class Use, class T, class Layout>
__TESSERA_FN void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& f, const T* from,
                                   unsigned int stride) {
  constexpr bool a = __tessera_same<Use, matrix_a>::value;
  constexpr bool rows = __tessera_same<Layout, row_major>::value;
  static_assert(rows || __tessera_same<Layout, col_major>::value,
                "this fragment is row_major or col_major");
  if constexpr (__tessera_same<T, __nv_bfloat16>::value) {
    if constexpr (a && rows) __TESSERA_LOAD_BF16("a", "row");
    if constexpr (a && !rows) __TESSERA_LOAD_BF16("a", "col");
    if constexpr (!a && rows) __TESSERA_LOAD_BF16("b", "row");
    if constexpr (!a && !rows) __TESSERA_LOAD_BF16("b", "col");
  } else {
    if constexpr (a && rows) __TESSERA_LOAD_F16("a", "row");
    if constexpr (a && !rows) __TESSERA_LOAD_F16("a", "col");
    if constexpr (!a && rows) __TESSERA_LOAD_F16("b", "row");
    if constexpr (!a && !rows) __TESSERA_LOAD_F16("b", "col");
  }
}

#define __TESSERA_LOAD_SUMS(layout)                                                    \
  asm volatile("wmma.load.c.sync.aligned." layout                                      \
               ".m16n16k16.f32 "                                                       \
               "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                           \
               : "=f"(f.x[0]), "=f"(f.x[1]), "=f"(f.x[2]), "=f"(f.x[3]), "=f"(f.x[4]), \
                 "=f"(f.x[5]), "=f"(f.x[6]), "=f"(f.x[7])                              \
               : "l"(from), "r"(stride)                                                \
               : "memory")
#define __TESSERA_STORE_SUMS(layout)                                                         \
  asm volatile("wmma.store.d.sync.aligned." layout                                           \
               ".m16n16k16.f32 [%8], "                                                       \
               "{%0, %1, %2, %3, %4, %5, %6, %7}, %9;" ::"f"(f.x[0]),                        \
               "f"(f.x[1]), "f"(f.x[2]), "f"(f.x[3]), "f"(f.x[4]), "f"(f.x[5]), "f"(f.x[6]), \
               "f"(f.x[7]), "l"(to), "r"(stride)                                             \
               : "memory")

__TESSERA_FN void load_matrix_sync(fragment<accumulator, 16, 16, 16, float>& f, const float* from,
                                   unsigned int stride, layout_t layout) {
  if (layout == mem_row_major) {
    __TESSERA_LOAD_SUMS("row");
  } else {
    __TESSERA_LOAD_SUMS("col");
  }
}

__TESSERA_FN void store_matrix_sync(float* to, const fragment<accumulator, 16, 16, 16, float>& f,
                                    unsigned int stride, layout_t layout) {
  if (layout == mem_row_major) {
    __TESSERA_STORE_SUMS("row");
  } else {
    __TESSERA_STORE_SUMS("col");
  }
}

template <class Use, class T, class Layout, class Value>
__TESSERA_FN void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& f, const Value& value) {
  const T element = static_cast<T>(value);
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = element;
}

#define __TESSERA_SUMS_OF(d)                                                          \
  "=f"(d.x[0]), "=f"(d.x[1]), "=f"(d.x[2]), "=f"(d.x[3]), "=f"(d.x[4]), "=f"(d.x[5]), \
      "=f"(d.x[6]), "=f"(d.x[7])
#define __TESSERA_ADDENDS_OF(c)                                                              \
  "f"(c.x[0]), "f"(c.x[1]), "f"(c.x[2]), "f"(c.x[3]), "f"(c.x[4]), "f"(c.x[5]), "f"(c.x[6]), \
      "f"(c.x[7])
#define __TESSERA_WORDS_OF(f) \
  "r"(f.__words[0]), "r"(f.__words[1]), "r"(f.__words[2]), "r"(f.__words[3])
#define __TESSERA_HALVES_OF(f) \
  __TESSERA_WORDS_OF(f), "r"(f.__words[4]), "r"(f.__words[5]), "r"(f.__words[6]), "r"(f.__words[7])
#define __TESSERA_MULTIPLY_BF16(layouts)                                                      \
  asm volatile("wmma.mma.sync.aligned." layouts                                               \
               ".m16n16k16.f32.bf16.bf16.f32 "                                                \
               "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, " \
               "{%16, %17, %18, %19, %20, %21, %22, %23};"                                    \
               : __TESSERA_SUMS_OF(d)                                                         \
               : __TESSERA_WORDS_OF(a), __TESSERA_WORDS_OF(b), __TESSERA_ADDENDS_OF(c))
#define __TESSERA_MULTIPLY_F16(layouts)                     \
  asm volatile("wmma.mma.sync.aligned." layouts             \
               ".m16n16k16.f32.f32 "                        \
               "{%0, %1, %2, %3, %4, %5, %6, %7}, "         \
               "{%8, %9, %10, %11, %12, %13, %14, %15}, "   \
               "{%16, %17, %18, %19, %20, %21, %22, %23}, " \
               "{%24, %25, %26, %27, %28, %29, %30, %31};"  \
               : __TESSERA_SUMS_OF(d)                       \
               : __TESSERA_HALVES_OF(a), __TESSERA_HALVES_OF(b), __TESSERA_ADDENDS_OF(c))

/// d = a b + c
template <class T, class LayoutA, class LayoutB>
__TESSERA_FN void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                           const fragment<matrix_a, 16, 16, 16, T, LayoutA>& a,
                           const fragment<matrix_b, 16, 16, 16, T, LayoutB>& b,
                           const fragment<accumulator, 16, 16, 16, float>& c) {
  constexpr bool rows_a = __tessera_same<LayoutA, row_major>::value;
  constexpr bool rows_b = __tessera_same<LayoutB, row_major>::value;
  if constexpr (__tessera_same<T, __nv_bfloat16>::value) {
    if constexpr (rows_a && rows_b) __TESSERA_MULTIPLY_BF16("row.row");
    if constexpr (rows_a && !rows_b) __TESSERA_MULTIPLY_BF16("row.col");
    if constexpr (!rows_a && rows_b) __TESSERA_MULTIPLY_BF16("col.row");
    if constexpr (!rows_a && !rows_b) __TESSERA_MULTIPLY_BF16("col.col");
  } else {
    if constexpr (rows_a && rows_b) __TESSERA_MULTIPLY_F16("row.row");
    if constexpr (rows_a && !rows_b) __TESSERA_MULTIPLY_F16("row.col");
    if constexpr (!rows_a && rows_b) __TESSERA_MULTIPLY_F16("col.row");
    if constexpr (!rows_a && !rows_b) __TESSERA_MULTIPLY_F16("col.col");
  }
}

}  // namespace wmma
}  // namespace nvcuda
