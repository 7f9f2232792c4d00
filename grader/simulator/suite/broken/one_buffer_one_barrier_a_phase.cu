// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: race -- the next phase overwrites the buffer while other threads may still read it
// line: 9
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    s[t] = in[t] + i;
    __syncthreads();
    sum += s[(t + 33) % 64];
  }
  out[t] = sum;
}
