// check: --kernel k --grid 2 --block 64 --arg uint8[128]=zeros --arg uint8[128]=zeros
// Bytes are memory locations of their own, in shared and in global memory.
__global__ void k(unsigned char* a, unsigned char* out) {
  __shared__ unsigned char s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = t;
  a[i] = t;
  __syncthreads();
  out[i] = s[63 - t] + a[blockIdx.x * 64 + (t ^ 1)];
}
