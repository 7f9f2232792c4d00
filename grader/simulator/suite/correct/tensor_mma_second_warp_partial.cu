// check: --kernel Multiply --grid 2 --block 48 --arg float16[512]=index --arg float16[128]=index
//        --arg float32[32,8]=unwritten --arg float32[32]=unwritten
// only with: nvrtc
// Warp 0 multiplies; the 16 threads of warp 1 sum the rows of A.
#include <cuda_fp16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void Multiply(const __half* a, const __half* b, float* c, float* sums) {
  const int tid = threadIdx.x;
  const __half* rows = a + blockIdx.x * 256;
  if (tid >= 32) {
    float sum = 0.0f;
    for (int i = 0; i < 16; ++i) sum += __half2float(rows[(tid - 32) * 16 + i]);
    sums[blockIdx.x * 16 + tid - 32] = sum;
    return;
  }
  const int g = tid / 4;
  const int t = tid % 4;
  const unsigned* p = reinterpret_cast<const unsigned*>(rows);
  const unsigned left[4] = {p[g * 8 + t], p[(g + 8) * 8 + t], p[g * 8 + t + 4],
                            p[(g + 8) * 8 + t + 4]};
  const unsigned* q = reinterpret_cast<const unsigned*>(b);
  const unsigned right[2] = {q[g * 8 + t], q[g * 8 + t + 4]};
  float d[4] = {};
  MultiplyAdd(d, left, right);
  float* out = c + blockIdx.x * 128;
  for (int j = 0; j < 4; ++j) out[(g + j / 2 * 8) * 8 + t * 2 + j % 2] = d[j];
}
