// check: --kernel MatmulAccumulate --grid 2,2 --block 8,8 --arg float32[16,16]=uniform
//        --arg float32[16,16]=uniform --arg float32[16,16]=unwritten
// expect: uninitialized-read -- the output is added to before any thread has written it
// line: 13
// C += A * B, one thread for each element.
constexpr int kSize = 16;

__global__ void MatmulAccumulate(const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < kSize; ++k) sum += a[row * kSize + k] * b[k * kSize + col];
  c[row * kSize + col] += sum;
}
