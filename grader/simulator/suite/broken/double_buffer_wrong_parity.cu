// check: --kernel MirrorProducts --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: race -- the buffer changes only every second tile, too seldom for one barrier a tile
// line: 15, 17
// Sums x[i] * x[mirror of i] over a row of tiles.
constexpr int kTile = 64;

__global__ void MirrorProducts(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    float* current = buffer[t / 2 % 2];
    current[tid] = mine[t * kTile + tid];
    __syncthreads();
    sum += current[tid] * current[kTile - 1 - tid];
  }
  out[blockIdx.x * kTile + tid] = sum;
}
