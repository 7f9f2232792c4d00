// check: --kernel BlockScan --grid 2 --block 128 --arg int32[256]=integers
//        --arg int32[256]=unwritten
// expect: race -- the warps' totals are read before a barrier has made them complete
// line: 16, 17
// Prefix sum of a block: warp scans and the totals of the warps before.
__global__ void BlockScan(const int* x, int* prefix) {
  __shared__ int totals[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  int sum = x[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane >= offset) sum += left;
  }
  if (lane == 31) totals[warp] = sum;
  for (int w = 0; w < warp; ++w) sum += totals[w];
  prefix[i] = sum;
}
