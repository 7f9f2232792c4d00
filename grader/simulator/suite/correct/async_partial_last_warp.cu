// check: --kernel RingSum --grid 3 --block 75 --arg float32[1125]=uniform
//        --arg float32[225]=unwritten --arg int32=5
// The last warp of the block has only eleven lanes.
#include <cuda_pipeline.h>

__global__ void RingSum(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][75];
  const int tid = threadIdx.x;
  const int size = blockDim.x;
  const float* mine = x + blockIdx.x * tiles * size;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], 4);
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&buffer[(t + 1) & 1][tid], &mine[(t + 1) * size + tid], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += buffer[t & 1][(tid + 37) % size];
    __syncthreads();
  }
  out[blockIdx.x * size + tid] = sum;
}
