// check: --kernel ScaleQuads --grid 1 --block 64 --arg float32[250]=uniform --arg float32=3.0
//        --arg int32=250
// expect: out-of-bounds -- the number of 16-byte steps is rounded up past the end
// line: 9, 14
// Scales an array in 16-byte steps.
__global__ void ScaleQuads(float4* x, float scale, int n) {
  const int i = threadIdx.x;
  if (i < (n + 3) / 4) {
    float4 quad = x[i];
    quad.x *= scale;
    quad.y *= scale;
    quad.z *= scale;
    quad.w *= scale;
    x[i] = quad;
  }
}
