// check: --kernel k --grid 1 --block 64 --arg int32[64]=integers --arg int32[16]=zeros
// expect: race -- the bins are cleared with plain stores, and atomics of other warps may come first
// line: 8
__global__ void k(const int* in, int* bins) {
  __shared__ int s[16];
  const int t = threadIdx.x;
  if (t < 16) s[t] = 0;
  atomicAdd(&s[in[t] & 15], 1);
  __syncthreads();
  if (t < 16) bins[t] = s[t];
}
