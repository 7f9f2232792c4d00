// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: out-of-bounds -- thread 0 reads the element before the first
// line: 6
__global__ void k(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = in[i] - in[i - 1];
}
