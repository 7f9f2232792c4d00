// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: race -- each thread reads an element of the tile that another thread writes, with no
//         barrier between
// line: 9
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[63 - t];
}
