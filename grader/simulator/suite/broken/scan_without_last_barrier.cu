// check: --kernel k --grid 1 --block 128 --arg int32[128]=ones --arg int32[128]=zeros
// expect: race -- after the loop the threads read the neighbour's sum with no barrier after the
//         last write
// line: 15
__global__ void k(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int d = 1; d < 128; d *= 2) {
    __syncthreads();
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
  }
  out[t] = t > 0 ? s[t - 1] : 0;
}
