// check: --kernel WaitBeforeBarrier --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: step-limit -- thread 0 waits for a flag that thread 32 sets only after the common barrier
// line: 14
// Waits for the second warp's mark before reversing.
__global__ void WaitBeforeBarrier(const float* x, float* out) {
  __shared__ float tile[64];
  __shared__ int mark;
  const int tid = threadIdx.x;
  if (tid == 0) mark = 0;
  tile[tid] = x[tid];
  __syncthreads();
  if (tid == 0) {
    while (atomicAdd(&mark, 0) == 0) {
    }
  }
  __syncthreads();
  if (tid == 32) atomicExch(&mark, 1);
  out[tid] = tile[63 - tid];
}
