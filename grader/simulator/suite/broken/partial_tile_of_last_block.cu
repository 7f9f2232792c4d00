// check: --kernel k --grid 3 --block 32 --arg float32[80]=ones --arg float32[80]=zeros
//        --arg int32=80
// expect: out-of-bounds -- the load of the tile has no guard: only the last block goes past the end
// line: 8
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = in[i];
  __syncthreads();
  if (i < n) out[i] = s[t] * 2;
}
