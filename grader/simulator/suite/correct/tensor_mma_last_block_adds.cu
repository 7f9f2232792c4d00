// check: --kernel Multiply --grid 1,2,3 --block 32 --arg float16[1536]=index
//        --arg float16[384]=index --arg float32[3,256]=unwritten --arg int32[2]=zeros
//        --arg float32[32,8]=unwritten
// only with: nvrtc
// Split k with a workspace: one block of each tile adds up the parts of all.
#include <cuda_fp16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void Multiply(const __half* a, const __half* b, float* parts, int* arrived, float* c) {
  __shared__ bool last;
  const int lane = threadIdx.x;
  const int pair = lane % 4 * 2;
  const int k = blockIdx.z * 16 + pair;
  const __half* p = a + (blockIdx.y * 16 + lane / 4) * 48 + k;
  const __half* q = b + lane / 4 * 48 + k;
  const auto load = [](const __half* x) { return *reinterpret_cast<const unsigned*>(x); };
  const unsigned left[4] = {load(p), load(p + 8 * 48), load(p + 8), load(p + 8 * 48 + 8)};
  const unsigned right[2] = {load(q), load(q + 8)};
  float d[4] = {};
  MultiplyAdd(d, left, right);
  float* mine = parts + blockIdx.z * 256 + blockIdx.y * 128;
  for (int j = 0; j < 4; ++j) mine[(lane / 4 + j / 2 * 8) * 8 + pair + j % 2] = d[j];
  __threadfence();
  __syncthreads();
  if (lane == 0) last = atomicAdd(&arrived[blockIdx.y], 1) == gridDim.z - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (int e = lane; e < 128; e += 32) {
    float sum = 0.0f;
    for (int z = 0; z < gridDim.z; ++z) sum += __ldcg(&parts[z * 256 + blockIdx.y * 128 + e]);
    c[blockIdx.y * 128 + e] = sum;
  }
}
