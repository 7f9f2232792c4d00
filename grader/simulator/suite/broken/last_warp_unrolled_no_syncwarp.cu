// check: --kernel SumUnrolled --grid 2 --block 128 --arg float32[256]=uniform
//        --arg float32[2]=unwritten
// expect: race -- the last warp's steps are not separated by __syncwarp
// line: 8
// Block sum whose last steps run in one warp.
__device__ void ReduceLastWarp(float* cache, int lane) {
  for (int offset = 16; offset > 0; offset /= 2) {
    if (lane < offset) cache[lane] += cache[lane + offset];
  }
}

__global__ void SumUnrolled(const float* x, float* sums) {
  __shared__ float cache[128];
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int stride = 64; stride >= 32; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid < 32) ReduceLastWarp(cache, tid);
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
