// check: --kernel k --grid 1 --block 64 --arg int32[64]=integers --arg int32[4]=zeros
// expect: race -- 64 threads increment 4 bins with plain loads and stores
// line: 9
__global__ void k(const int* in, int* bins) {
  __shared__ int s[4];
  const int t = threadIdx.x;
  if (t < 4) s[t] = 0;
  __syncthreads();
  s[in[t] & 3]++;
  __syncthreads();
  if (t < 4) bins[t] = s[t];
}
