// check: --kernel BlockScan --grid 3 --block 160 --arg int32[480]=integers
//        --arg int32[480]=unwritten
// expect: clean
// Prefix sum of a block of five warps: warp scans, then a scan of the warp totals.
__device__ int ScanWarp(int value, int lane) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += left;
  }
  return value;
}

__global__ void BlockScan(const int* x, int* prefix) {
  __shared__ int totals[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  int sum = ScanWarp(x[i], lane);
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int total = ScanWarp(lane < warps ? totals[lane] : 0, lane);
    if (lane < warps) totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) sum += totals[warp - 1];
  prefix[i] = sum;
}
