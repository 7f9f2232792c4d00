// check: --kernel CopyShifted --grid 1 --block 32 --arg float32[160]=uniform
//        --arg float32[128]=unwritten
// expect: misaligned -- a float4 is read from an address one float past the aligned start
// line: 9, 10
// Copies all values but the first in 16-byte steps.
__global__ void CopyShifted(const float* x, float4* out) {
  const float4* shifted = reinterpret_cast<const float4*>(x + 1);
  const int i = threadIdx.x;
  const float4 quad = shifted[i];
  out[i] = quad;
}
