// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: race -- each half meets only itself, but lanes read what the other half wrote
// line: 9
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t;
  __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = s[31 - t];
}
