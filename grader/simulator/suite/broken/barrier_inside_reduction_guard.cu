// check: --kernel NormalizeBlock --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: divergent-barrier -- the barrier stands inside the guard that ever fewer threads pass
// line: 14, 17
// Divides a block's values by the sum of their magnitudes.
__global__ void NormalizeBlock(const float* x, float* out) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  cache[tid] = fabsf(x[tid]);
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) {
      cache[tid] += cache[tid + stride];
      __syncthreads();
    }
  }
  __syncthreads();
  out[tid] = x[tid] / cache[0];
}
