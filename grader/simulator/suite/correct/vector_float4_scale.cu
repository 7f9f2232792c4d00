// check: --kernel ScaleFloat4 --grid 2 --block 128 --arg float32[1002]=uniform
//        --arg float32[1002]=unwritten --arg float32=0.5 --arg int32=1002
// expect: clean
// Scales an array in 16-byte steps and its last few elements one by one.
__global__ void ScaleFloat4(const float* x, float* y, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int quads = n / 4;
  if (i < quads) {
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x *= scale;
    v.y *= scale;
    v.z *= scale;
    v.w *= scale;
    reinterpret_cast<float4*>(y)[i] = v;
  }
  const int tail = 4 * quads + i;
  if (tail < n) y[tail] = x[tail] * scale;
}
