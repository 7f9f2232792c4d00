// check: --kernel WarpScan --grid 4 --block 64 --arg int32[256]=integers --arg int32[256]=unwritten
// expect: clean
// Inclusive prefix sum inside every warp with shuffle-up.
__global__ void WarpScan(const int* x, int* prefix) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  int sum = x[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane >= offset) sum += left;
  }
  prefix[i] = sum;
}
