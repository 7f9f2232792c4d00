// check: --kernel k --grid 1 --block 64 --arg float32[64]=ones --arg float32[64]=zeros
// Both halo elements are written before the barrier.
__global__ void k(const float* in, float* out) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t < 2) s[t * 65] = 0;
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}
