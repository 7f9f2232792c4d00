// check: --kernel k --grid 1 --block 128 --arg int32[128]=ones --arg int32[128]=zeros
// expect: race -- the in-place step writes s[t] while thread t + d may still have to read it
// line: 10
__global__ void k(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    if (t >= d) s[t] += s[t - d];
    __syncthreads();
  }
  out[t] = s[t];
}
