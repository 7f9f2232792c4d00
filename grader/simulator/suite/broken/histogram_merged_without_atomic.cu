// check: --kernel k --grid 4 --block 64 --arg int32[256]=integers --arg int32[16]=zeros
// expect: race -- several blocks add their bins to the global ones with plain loads and stores
// line: 11
__global__ void k(const int* in, int* bins) {
  __shared__ int s[16];
  const int t = threadIdx.x;
  if (t < 16) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[in[blockIdx.x * 64 + t] & 15], 1);
  __syncthreads();
  if (t < 16) bins[t] += s[t];
}
