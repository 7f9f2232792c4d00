// check: --kernel Multiply --grid 2,2 --block 32 --arg bfloat16[1536]=index
//        --arg bfloat16[768]=index --arg float32[32,16]=unwritten --arg int32=16 --arg int32=48
// expect: out-of-bounds -- the rows of the groups are taken two apart, so that the last ones leave
//         the matrix
// line: 18, 31, 36, 37
// only with: nvrtc
// C = A * B^T with m16n8k16: each lane reads its pairs of elements from global memory.
#include <cuda_bf16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned Pair(const __nv_bfloat16* p) {
  return *reinterpret_cast<const unsigned*>(p);
}

__global__ void Multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k) {
  const int group = threadIdx.x / 4;
  const int pair = threadIdx.x % 4 * 2;
  const int row = blockIdx.y * 16 + group * 2;
  const int col = blockIdx.x * 8;
  float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < k; i += 16) {
    const __nv_bfloat16* p = a + row * k + i + pair;
    const __nv_bfloat16* q = b + (col + group) * k + i + pair;
    const unsigned left[4] = {Pair(p), Pair(p + 8 * k), Pair(p + 8), Pair(p + 8 * k + 8)};
    const unsigned right[2] = {Pair(q), Pair(q + 8)};
    MultiplyAdd(d, left, right);
  }
  float* out = c + row * n + col + pair;
  *reinterpret_cast<float2*>(out) = make_float2(d[0], d[1]);
  *reinterpret_cast<float2*>(out + 8 * n) = make_float2(d[2], d[3]);
}
