// check: --kernel Chain --grid 2 --block 32 --arg float16[512]=index --arg float16[128]=index
//        --arg float16[128]=index --arg float32[32,8]=unwritten
// only with: nvrtc
// D = A * (A1 * B) where the inner result, an accumulator, becomes B of the outer by movmatrix.
#include <cuda_fp16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned Turn(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(turned)
               : "r"(*reinterpret_cast<const unsigned*>(&pair)));
  return turned;
}

__global__ void Chain(const __half* a, const __half* b, const __half* bias, float* out) {
  const int g = threadIdx.x / 4;
  const int t = threadIdx.x % 4;
  const unsigned* p = reinterpret_cast<const unsigned*>(a) + blockIdx.x * 128 + g * 8 + t;
  const unsigned* q = reinterpret_cast<const unsigned*>(b) + g * 8 + t;
  const unsigned left[4] = {p[0], p[64], p[4], p[68]};
  const unsigned right[2] = {q[0], q[4]};
  float inner[4];
  for (int j = 0; j < 4; ++j) inner[j] = __half2float(bias[(g + j / 2 * 8) * 8 + t * 2 + j % 2]);
  MultiplyAdd(inner, left, right);
  const unsigned next[2] = {Turn(inner[0], inner[1]), Turn(inner[2], inner[3])};
  float outer[4] = {};
  MultiplyAdd(outer, left, next);
  for (int j = 0; j < 4; ++j)
    out[blockIdx.x * 128 + (g + j / 2 * 8) * 8 + t * 2 + j % 2] = outer[j];
}
