// The tensor cores by the warp, with fragments whose elements are known: PTX's ldmatrix and
// mma.sync as functions, for elements of 16 bits in shared memory.
//
// All 32 threads of a warp must call them together. Lane l is the thread with threadIdx.x % 32 = l
// (in a block of one dimension). A register of 32 bits holds two elements; the one with the smaller
// index is in the lower half. PTX ISA 8.8, "Warp Level Matrix Multiply-Accumulate Instructions".
#pragma once

#include <cuda_bf16.h>

#include <tessera/lab.cuh>

/// Loads four matrices of 8 x 8 elements from shared memory, one into each element of `to`. `row`
/// is where a row begins: lanes 0 to 7 name the rows of the first matrix, lanes 8 to 15 those of
/// the second, and so on; each at a multiple of 16 bytes. Lane l gets elements 2 (l % 4) and
/// 2 (l % 4) + 1 of row l / 4 of each matrix.
__device__ TESSERA_INLINE void ldmatrix_x4(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

/// The same for the transposed matrices: lane l gets elements 2 (l % 4) and 2 (l % 4) + 1 of column
/// l / 4 of each matrix.
__device__ TESSERA_INLINE void ldmatrix_x4_trans(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

/// C += A B for fragments of 16 x 8, 16 x 16 and 16 x 8 elements. With g = l / 4 and t = l % 4,
/// lane l holds
///   a[0]: row g, columns 2 t and 2 t + 1;      b0: rows 2 t and 2 t + 1, column g
///   a[1]: the same in row g + 8;               b1: rows 2 t + 8 and 2 t + 9, column g
///   a[2], a[3]: the same eight columns on;     c[0], c[1]: row g, columns 2 t and 2 t + 1
///                                              c[2], c[3]: the same in row g + 8
__device__ TESSERA_INLINE void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4], unsigned b0,
                                            unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
