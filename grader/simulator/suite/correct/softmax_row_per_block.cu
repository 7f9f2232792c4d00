// check: --kernel Softmax --grid 5 --block 64 --arg float32[5,90]=uniform
//        --arg float32[5,90]=unwritten
// expect: clean
// Softmax of each row; one shared buffer serves both reductions with a barrier between them.
constexpr int kCols = 90;

__device__ float ReduceBlock(float* cache, float value, bool take_max) {
  const int tid = threadIdx.x;
  cache[tid] = value;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) {
      const float other = cache[tid + stride];
      cache[tid] = take_max ? fmaxf(cache[tid], other) : cache[tid] + other;
    }
    __syncthreads();
  }
  const float result = cache[0];
  __syncthreads();
  return result;
}

__global__ void Softmax(const float* logits, float* out) {
  __shared__ float cache[64];
  const float* row = logits + blockIdx.x * kCols;
  float largest = -1e30f;
  for (int c = threadIdx.x; c < kCols; c += 64) largest = fmaxf(largest, row[c]);
  largest = ReduceBlock(cache, largest, true);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < kCols; c += 64) sum += expf(row[c] - largest);
  sum = ReduceBlock(cache, sum, false);
  for (int c = threadIdx.x; c < kCols; c += 64) {
    out[blockIdx.x * kCols + c] = expf(row[c] - largest) / sum;
  }
}
