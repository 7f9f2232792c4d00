// check: --kernel Fetch --grid 1 --block 64 --arg int32[64]=index --arg int32[1]=zeros
//        --arg int32[64]=unwritten
// only with: nvrtc
// expect: unfinished-copy -- the copy may read its source while another number is there
// line: 19
// Thread 32 borrows the place that thread 0 copies from, and puts back what was there.
#include <cuda_pipeline.h>

__global__ void Fetch(const int* in, int* place, int* out) {
  __shared__ int x;
  const int t = threadIdx.x;
  if (t == 0) __pipeline_memcpy_async(&x, place, 4);
  __pipeline_commit();
  __syncthreads();
  if (t == 32) *place = in[5];
  __syncthreads();
  if (t == 32) *place = 0;
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = x;
}
