// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: divergent-barrier -- the condition differs within a warp, and the two sides wait at
//         different barriers
// line: 10
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t & 1) {
    __syncthreads();
    out[t] = s[t ^ 1];
  } else {
    out[t] = 7;
    __syncthreads();
  }
}
