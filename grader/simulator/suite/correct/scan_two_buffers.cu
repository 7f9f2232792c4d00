// check: --kernel k --grid 1 --block 128 --arg int32[128]=ones --arg int32[128]=zeros
// Each step reads one buffer and writes the other, with a barrier after each.
__global__ void k(const int* in, int* out) {
  __shared__ int s[2][128];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}
