// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: race -- __ldg() reads through the read-only cache a word that the kernel writes
// line: 8
__global__ void k(int* a, int* out) {
  const int t = threadIdx.x;
  a[t] = t * 2;
  __syncthreads();
  out[t] = __ldg(a + 63 - t);
}
