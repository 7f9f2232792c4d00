// check: --kernel k --grid 1 --block 64 --arg float32[64]=ones --arg float32[64]=zeros
// expect: uninitialized-read -- the right halo element of the tile is never written
// line: 10
__global__ void k(const float* in, float* out) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) s[0] = 0;
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}
