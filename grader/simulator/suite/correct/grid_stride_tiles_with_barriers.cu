// check: --kernel ReverseTiles --grid 3 --block 32 --arg float32[300]=uniform
//        --arg float32[300]=unwritten --arg int32=300
// expect: clean
// Reverses tiles of 32 values; the loop bound is the same for all threads of a block.
constexpr int kTile = 32;

__global__ void ReverseTiles(const float* x, float* out, int n) {
  __shared__ float tile[kTile];
  for (int base = blockIdx.x * kTile; base < n; base += gridDim.x * kTile) {
    const int count = min(kTile, n - base);
    const int tid = threadIdx.x;
    if (tid < count) tile[tid] = x[base + tid];
    __syncthreads();
    if (tid < count) out[base + tid] = tile[count - 1 - tid];
    __syncthreads();
  }
}
