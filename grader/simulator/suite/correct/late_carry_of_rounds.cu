// check: --kernel k --grid 1 --block 64 --arg int32[256]=index --arg int32[256]=zeros
//        --arg int32=250
// The carry is unwritten in the first round, and not used there.
__global__ void k(const int* x, int* y, int n) {
  __shared__ int last;
  const int t = threadIdx.x;
  for (int base = 0; base < n; base += 64) {
    const int i = base + t;
    const int v = i < n ? x[i] : 0;
    const int carry = base > 0 ? last : 0;
    __syncthreads();
    if (t == 63) last = v;
    __syncthreads();
    if (i < n) y[i] = v + carry;
  }
}
