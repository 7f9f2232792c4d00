// check: --kernel k --grid 1 --block 64 --arg int32[256]=index --arg int32[256]=zeros
//        --arg int32=0 --arg int32=64 --arg int32=0 --arg int32[256]=zeros
// m is 0: nothing of shared memory is written, or used.
__global__ void k(const int* x, int* y, int m, int n, int q, int* z) {
  __shared__ int b;
  const int t = threadIdx.x;
  int acc = x[t], u = 0;
  if (m > 0) {
    if (t == 0) b = x[7];
  }
  __syncthreads();
  acc += x[(t + 3) % 64];
  __syncthreads();
  if (m > 0 && t < 40) acc = acc * 3 + b;
  __syncthreads();
  if (t < 50) y[t] = acc;
  z[t] = u;
}
