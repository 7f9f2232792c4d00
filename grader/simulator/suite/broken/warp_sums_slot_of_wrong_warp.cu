// check: --kernel k --grid 1 --block 128 --arg int32[128]=ones --arg int32[1]=zeros
// expect: race, uninitialized-read -- the slot is computed with % instead of /, so all warps store
//         into slot 0
// line: 10, 12
__global__ void k(const int* in, int* out) {
  __shared__ int part[4];
  const int t = threadIdx.x;
  int v = in[t] + t;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) part[t % 32] = v;
  __syncthreads();
  if (t == 0) *out = part[0] + part[1] + part[2] + part[3];
}
