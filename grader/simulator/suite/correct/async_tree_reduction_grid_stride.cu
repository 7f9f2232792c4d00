// check: --kernel BlockSums --grid 2 --block 64 --arg float32[1000]=uniform
//        --arg float32[2]=unwritten --arg int32=1000
// Sum of an array in tiles that the blocks take in turn; what lies past the end counts as zero.
#include <cuda_pipeline.h>

__device__ void Fetch(float* cell, const float* x, int i, int n) {
  __pipeline_memcpy_async(cell, i < n ? x + i : x, 4, i < n ? 0 : 4);
  __pipeline_commit();
}

__global__ void BlockSums(const float* x, float* sums, int n) {
  __shared__ float ahead[2][64];
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  const int stride = gridDim.x * 64;
  int i = blockIdx.x * 64 + tid;
  int turn = 0;
  float sum = 0.0f;
  Fetch(&ahead[0][tid], x, i, n);
  for (int base = blockIdx.x * 64; base < n; base += stride, i += stride, turn ^= 1) {
    Fetch(&ahead[turn ^ 1][tid], x, i + stride, n);
    __pipeline_wait_prior(1);
    sum += ahead[turn][tid];
  }
  __pipeline_wait_prior(0);
  cache[tid] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (tid < half) cache[tid] += cache[tid + half];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
