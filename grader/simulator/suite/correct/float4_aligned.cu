// check: --kernel k --grid 1 --block 16 --arg float32[64]=ones --arg float32[16]=zeros
// Each float4 begins at a multiple of 16 bytes.
__global__ void k(const float* a, float* out) {
  const float4 v = ((const float4*)a)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
