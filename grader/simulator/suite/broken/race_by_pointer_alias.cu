// check: --kernel TwoParts --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[63]=unwritten
// expect: race -- the second part starts one element too early and overlaps the first
// line: 12, 14
// Two warps fill two parts of one shared array.
__global__ void TwoParts(const float* x, float* out) {
  __shared__ float storage[64];
  float* left = storage;
  float* right = storage + 31;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    left[lane] = x[lane];
  } else {
    right[lane] = 3.0f * x[32 + lane];
  }
  __syncthreads();
  if (threadIdx.x < 63) out[threadIdx.x] = storage[62 - threadIdx.x];
}
