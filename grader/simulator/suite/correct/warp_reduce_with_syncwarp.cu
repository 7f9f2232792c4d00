// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[1]=zeros
// __syncwarp() orders memory among the participating lanes, between each write and the next
// read.
__global__ void k(const int* in, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncwarp();
  }
  if (t == 0) *out = s[0];
}
