// check: --kernel Reversed --grid 2 --block 32 --shared 1536 --arg float32[1536]=uniform
//        --arg float32[256]=unwritten --arg int32=6 --arg int32=3
// The number of stages is an argument and the ring lies in dynamic shared memory.
#include <cuda_pipeline.h>

extern __shared__ float4 ring[];

__global__ void Reversed(const float4* x, float4* out, int tiles, int stages) {
  const int tid = threadIdx.x;
  const int size = blockDim.x;
  const float4* mine = x + blockIdx.x * tiles * size;
  for (int t = 0; t < stages - 1; ++t) {
    if (t < tiles) {
      __pipeline_memcpy_async(&ring[t * size + tid], &mine[t * size + tid], sizeof(float4));
    }
    __pipeline_commit();
  }
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    const float4 value = ring[t % stages * size + size - 1 - tid];
    sum = make_float4(sum.x + value.w, sum.y + value.z, sum.z + value.y, sum.w + value.x);
    const int next = t + stages - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&ring[next % stages * size + tid], &mine[next * size + tid],
                              sizeof(float4));
    }
    __pipeline_commit();
  }
  out[blockIdx.x * size + tid] = sum;
}
