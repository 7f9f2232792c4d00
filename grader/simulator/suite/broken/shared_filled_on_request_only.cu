// check: --kernel WeighWindow --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[32]=unwritten --arg int32=0
// expect: uninitialized-read -- the weights are only set when the flag asks for it
// line: 11
// Weighs values by a window in shared memory.
__global__ void WeighWindow(const float* x, float* out, int set_weights) {
  __shared__ float weights[32];
  const int tid = threadIdx.x;
  if (set_weights != 0) weights[31 - tid] = 0.5f + 0.01f * tid;
  __syncthreads();
  out[tid] = x[tid] * weights[tid];
}
