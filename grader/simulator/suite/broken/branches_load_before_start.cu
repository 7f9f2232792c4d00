// check: --kernel Differences --grid 4 --block 64 --arg int32[256]=integers
//        --arg int32[256]=unwritten --arg int32=256
// expect: out-of-bounds -- the first thread of the first block has no left neighbour
// line: 16
// A compiler may do once, after the branches, what both branches do.
__global__ void Differences(const int* input, int* result, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = input[i];
  __syncthreads();
  int left;
  if (t > 0)
    left = tile[t - 1];
  else
    left = input[i - 1];
  if (i < n) result[i] = tile[t] - left;
}
