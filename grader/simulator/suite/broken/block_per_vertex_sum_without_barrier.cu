// check: --kernel k --grid 4 --block 64 --arg int32[256]=ones --arg int32[4]=zeros
// expect: race -- warp sums are read by thread 0 with no barrier after the other warp has stored
//         its own
// line: 11
__global__ void k(const int* edge, int* out) {
  __shared__ int part[2];
  const int t = threadIdx.x;
  int v = edge[blockIdx.x * 64 + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) part[t / 32] = v;
  if (t == 0) out[blockIdx.x] = part[0] + part[1];
}
