// check: --kernel MirrorProducts --grid 3 --block 64 --arg float32[960]=uniform
//        --arg float32[192]=unwritten --arg int32=5
// expect: clean
// Sums x[i] * x[mirror of i] over a row of tiles; the next tile loads while this one is used.
constexpr int kTile = 64;

__global__ void MirrorProducts(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  buffer[0][tid] = mine[tid];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int current = t % 2;
    if (t + 1 < tiles) buffer[1 - current][tid] = mine[(t + 1) * kTile + tid];
    sum += buffer[current][tid] * buffer[current][kTile - 1 - tid];
    __syncthreads();
  }
  out[blockIdx.x * kTile + tid] = sum;
}
