// check: --kernel RepeatedHalving --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: divergent-barrier -- the loop around the barrier runs longer for some threads
// line: 13, 15
// Halves every value a number of times that depends on the thread.
__global__ void RepeatedHalving(const float* x, float* out) {
  __shared__ float values[64];
  const int tid = threadIdx.x;
  const int trips = 1 + tid % 4;
  values[tid] = x[tid];
  for (int k = 0; k < trips; ++k) {
    values[tid] *= 0.5f;
    __syncthreads();
  }
  __syncthreads();
  out[tid] = values[63 - tid];
}
