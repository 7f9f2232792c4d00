// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// Lane 0 alone reads what lane 31 has stored.
__global__ void k(const int* x, int* y) {
  __shared__ int last, other;
  const int t = threadIdx.x;
  int acc = x[t];
  if (t == 31) last = acc;
  __syncwarp();
  if (t == 0) acc = acc * 3 + last;
  __syncthreads();
  if (t < 32) y[t] = acc;
}
