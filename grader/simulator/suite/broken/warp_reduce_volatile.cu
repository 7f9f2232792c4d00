// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[1]=zeros
// expect: race -- volatile does not make lanes run in lockstep: the old idiom needs __syncwarp()
//         since Volta
// line: 9, 10, 11, 12, 13
__global__ void k(const int* in, int* out) {
  __shared__ volatile int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < 16) s[t] += s[t + 16];
  if (t < 8) s[t] += s[t + 8];
  if (t < 4) s[t] += s[t + 4];
  if (t < 2) s[t] += s[t + 2];
  if (t < 1) s[t] += s[t + 1];
  if (t == 0) *out = s[0];
}
