// check: --kernel ReverseTile --grid 1 --block 128 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- the tile was made for 64 threads, the launch has 128
// line: 10, 12
// Reverses a block's slice through shared memory.
constexpr int kTile = 64;

__global__ void ReverseTile(const float* x, float* out) {
  __shared__ float tile[kTile];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
