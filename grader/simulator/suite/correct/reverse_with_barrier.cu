// check: --kernel k --grid 2 --block 64 --arg int32[128]=index --arg int32[128]=zeros
// The barrier orders all writes of the tile before all reads.
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, base = blockIdx.x * 64;
  s[t] = in[base + t];
  __syncthreads();
  out[base + t] = s[63 - t];
}
