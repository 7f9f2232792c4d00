// check: --kernel InPlaceScan --grid 2 --block 64 --arg int32[128]=integers
//        --arg int32[128]=unwritten
// expect: clean
// Inclusive prefix sum in one buffer: all threads read, then all threads write.
__global__ void InPlaceScan(const int* x, int* prefix) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  sums[tid] = x[i];
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    const int left = tid >= offset ? sums[tid - offset] : 0;
    __syncthreads();
    sums[tid] += left;
    __syncthreads();
  }
  prefix[i] = sums[tid];
}
