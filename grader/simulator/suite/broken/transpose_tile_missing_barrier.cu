// check: --kernel Transpose --grid 2,2 --block 16,16 --arg float32[32,32]=uniform
//        --arg float32[32,32]=unwritten
// expect: race -- no barrier between filling the tile and reading it across
// line: 14, 16
// Transpose of a square matrix through shared tiles.
constexpr int kTile = 16;
constexpr int kSize = 32;

__global__ void Transpose(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int from = (blockIdx.y * kTile + ty) * kSize + blockIdx.x * kTile + tx;
  tile[ty][tx] = in[from];
  const int to = (blockIdx.x * kTile + ty) * kSize + blockIdx.y * kTile + tx;
  out[to] = tile[tx][ty];
}
