// check: --kernel SumUnrolled --grid 4 --block 128 --arg float32[512]=uniform
//        --arg float32[4]=unwritten
// expect: clean
// Block sum whose last six steps run in one warp, with a __syncwarp between read and write.
__device__ void ReduceLastWarp(float* cache, int lane) {
  float value = cache[lane];
  for (int offset = 16; offset > 0; offset /= 2) {
    value += cache[lane + offset];
    __syncwarp();
    cache[lane] = value;
    __syncwarp();
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
