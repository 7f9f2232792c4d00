// check: --kernel SumRagged --grid 1 --block 64 --arg float32[100]=uniform
//        --arg float32[64]=unwritten --arg int32=100
// expect: divergent-barrier -- in the last round only the threads below n reach the barrier
// line: 12, 14
// Each thread's strided sum, read back mirrored.
__global__ void SumRagged(const float* x, float* out, int n) {
  __shared__ float sums[64];
  const int tid = threadIdx.x;
  sums[tid] = 0.0f;
  for (int i = tid; i < n; i += 64) {
    sums[tid] += x[i];
    __syncthreads();
  }
  __syncthreads();
  out[tid] = sums[63 - tid];
}
