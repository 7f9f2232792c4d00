// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[1]=zeros
// expect: race -- lanes read what other lanes of the warp wrote with no __syncwarp() between
// line: 9
__global__ void k(const int* in, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int d = 16; d > 0; d /= 2)
    if (t < d) s[t] += s[t + d];
  if (t == 0) *out = s[0];
}
