// check: --kernel Mirror --grid 2 --block 32 --arg float32[192]=uniform
//        --arg float32[64]=unwritten
// expect: trap -- a copy has 4, 8 or 16 bytes, and a point has twelve
// line: 12
// Each point meets the mirrored one.
#include <cuda_pipeline.h>

__global__ void Mirror(const float3* points, float* out) {
  __shared__ float3 tile[32];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 32 + tid;
  __pipeline_memcpy_async(&tile[tid], &points[i], sizeof(float3));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[tid].x * tile[31 - tid].y;
}
