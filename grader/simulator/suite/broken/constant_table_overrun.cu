// check: --kernel Weigh --grid 1 --block 64 --arg float32[64]=uniform --arg float32[64]=unwritten
// expect: out-of-bounds -- a table of eight weights is read with the thread's index
// line: 9
// Weighs every value.
__constant__ float weights[8] = {0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f, 4.0f};

__global__ void Weigh(const float* x, float* out) {
  const int i = threadIdx.x;
  out[i] = x[i] * weights[i];
}
