// check: --kernel Differences --grid 4 --block 64 --arg int32[256]=integers
//        --arg int32[256]=unwritten --arg int32=256
// expect: race -- tile is read before the neighbour has stored its element
// line: 13
// A compiler may do once, after the branches, what both branches do.
__global__ void Differences(const int* input, int* result, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = input[i];
  int left = 0;
  if (t > 0)
    left = tile[t - 1];
  else if (i > 0)
    left = input[i - 1];
  if (i < n) result[i] = tile[t] - left;
}
