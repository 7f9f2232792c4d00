// check: --kernel CountLargePositive --grid 2 --block 64 --arg float32[128]=uniform
//        --arg int32[128]=unwritten
// expect: divergent-barrier -- a ballot over the whole warp stands where only some lanes come by
// line: 12
// Counts the large ones among the positive values of each warp.
__global__ void CountLargePositive(const float* x, int* counts) {
  __shared__ int found[64];
  const int tid = threadIdx.x;
  const float value = x[blockIdx.x * 64 + tid];
  int count = 0;
  if (value > 0.0f) {
    count = __popc(__ballot_sync(0xffffffffu, value > 0.5f));
  }
  found[tid] = count;
  __syncthreads();
  counts[blockIdx.x * 64 + tid] = found[tid ^ 1];
}
