// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: out-of-bounds -- element 32 of the first array is outside of it, whatever lies behind it
// line: 11
__global__ void k(int* out) {
  __shared__ int a[32];
  __shared__ int b[32];
  const int t = threadIdx.x;
  a[t] = t;
  b[t] = -t;
  __syncthreads();
  out[t] = a[t + 1] + b[t];
}
