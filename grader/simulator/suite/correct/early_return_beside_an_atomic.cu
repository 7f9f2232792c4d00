// check: --kernel SumReversed --grid 1 --block 64 --arg int32[64]=index --arg int32[1]=zeros
//        --arg int32=32
// expect: warning -- threads past the end return before a barrier that the others reach
// Adds up a tile in reverse. The atomic lets the warps run in other orders, too.
__global__ void SumReversed(const int* in, int* sum, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = in[t];
  __syncthreads();
  atomicAdd(sum, tile[n - 1 - t]);
}
