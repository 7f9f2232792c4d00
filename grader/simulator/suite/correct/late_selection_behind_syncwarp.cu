// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// Lane 0 alone reads what lane 31 has stored.
__global__ void k(const int* x, int* y) {
  __shared__ int last, other;
  const int t = threadIdx.x;
  int acc = x[t];
  if (t == 31) last = acc;
  __syncwarp();
  const int first = t == 0 ? last : 0;
  if (t < 8) __syncwarp(0xff);
  y[t] = acc + first;
}
