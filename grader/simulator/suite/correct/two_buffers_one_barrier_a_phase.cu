// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// A buffer is overwritten two phases later, with a barrier between the last read and the write.
__global__ void k(const int* in, int* out) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    s[i & 1][t] = in[t] + i;
    __syncthreads();
    sum += s[i & 1][(t + 33) % 64];
  }
  out[t] = sum;
}
