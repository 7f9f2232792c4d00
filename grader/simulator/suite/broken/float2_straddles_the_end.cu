// check: --kernel k --grid 1 --block 32 --arg float32[63]=ones --arg float32[32]=zeros
// expect: out-of-bounds -- the last float2 begins inside the array of 63 elements and ends outside
// line: 5
__global__ void k(const float* a, float* out) {
  const float2 v = ((const float2*)a)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y;
}
