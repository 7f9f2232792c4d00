// check: --kernel InPlaceScan --grid 1 --block 64 --arg int32[64]=integers
//        --arg int32[64]=unwritten
// expect: race -- the scan reads a neighbour's sum while the neighbour updates it
// line: 12
// Inclusive prefix sum of a block.
__global__ void InPlaceScan(const int* x, int* prefix) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  sums[tid] = x[tid];
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    if (tid >= offset) sums[tid] += sums[tid - offset];
    __syncthreads();
  }
  prefix[tid] = sums[tid];
}
