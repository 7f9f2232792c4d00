// check: --kernel k --grid 1 --block 8 --arg float32[64]=ones --arg float32[8]=zeros
// expect: misaligned -- a float4 must be aligned to 16 bytes, and element 2 is at byte 8
// line: 5
__global__ void k(const float* a, float* out) {
  const float4 v = *(const float4*)(a + 2 + 4 * threadIdx.x);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
