// check: --kernel k --grid 1 --block 64 --shared 512 --arg int32[64]=zeros
// expect: race -- the second array begins 32 and not 64 elements behind the first
// line: 9
__global__ void k(int* out) {
  extern __shared__ int s[];
  int* b = s + 32;
  const int t = threadIdx.x;
  s[t] = t;
  b[t] = -t;
  __syncthreads();
  out[t] = s[t] + b[63 - t];
}
