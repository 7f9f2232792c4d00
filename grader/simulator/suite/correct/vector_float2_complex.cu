// check: --kernel ComplexProduct --grid 2 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=uniform --arg float32[256]=unwritten
// expect: clean
// Products of complex numbers stored as aligned float2.
__device__ float2 Multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void ComplexProduct(const float2* a, const float2* b, float2* product) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  product[i] = Multiply(a[i], b[i]);
}
