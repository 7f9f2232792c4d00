// check: --kernel RowFlip --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// expect: out-of-bounds -- the tile has room for 64 threads, the block has 96
// line: 13, 17
// Reverses a row.
#include <cuda_pipeline.h>

__global__ void RowFlip(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int last = blockDim.x - 1;
  const int base = blockIdx.x * blockDim.x;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = tile[last - tid];
}
