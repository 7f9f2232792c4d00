// check: --kernel UnequalWork --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// Threads iterate unequally often, but all of them meet at the one barrier afterwards.
__global__ void UnequalWork(const float* x, float* out) {
  __shared__ float results[64];
  const int tid = threadIdx.x;
  float value = x[blockIdx.x * 64 + tid];
  for (int k = 0; k < tid % 7; ++k) value = 0.5f * value + 1.0f;
  if (tid % 3 == 0) {
    results[tid] = value;
  } else {
    results[tid] = -value;
  }
  __syncthreads();
  out[blockIdx.x * 64 + tid] = results[(tid + 33) % 64];
}
