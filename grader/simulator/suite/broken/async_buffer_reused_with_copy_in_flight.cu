// check: --kernel Norms --grid 2 --block 64 --arg float32[640]=uniform
//        --arg float32[2]=unwritten --arg int32=4
// expect: unfinished-copy -- the copy of the tile after the last is in flight when the sums begin
// line: 22, 25, 28
// Sum of four tiles of five; then the buffer serves for the sum over the threads.
#include <cuda_pipeline.h>

__global__ void Norms(const float* x, float* sums, int used) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * 5 * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < used; ++t) {
    __pipeline_memcpy_async(&buffer[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += buffer[t % 2][tid] * buffer[t % 2][tid];
  }
  float* partial = buffer[0];
  partial[tid] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (tid < half) partial[tid] += partial[tid + half];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = partial[0];
}
