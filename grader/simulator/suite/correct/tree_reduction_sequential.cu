// check: --kernel BlockSums --grid 8 --block 256 --arg float32[2000]=uniform
//        --arg float32[8]=unwritten --arg int32=2000
// expect: clean
// Sum of each block's slice of x: tree reduction with sequential addressing.
constexpr int kBlock = 256;

__global__ void BlockSums(const float* x, float* sums, int n) {
  __shared__ float cache[kBlock];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kBlock + tid;
  cache[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
