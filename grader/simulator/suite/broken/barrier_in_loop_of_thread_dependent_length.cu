// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: divergent-barrier -- threads execute different numbers of iterations and so different
//         numbers of barriers while others wait at another one
// line: 11
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < t % 4; ++i) {
    s[t] += i;
    __syncthreads();
  }
  out[t] = s[t];
  __syncthreads();
  out[t] += 1;
}
