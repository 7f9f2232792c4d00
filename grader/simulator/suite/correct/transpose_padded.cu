// check: --kernel Transpose --grid 3,2 --block 32,8 --arg float32[64,96]=uniform
//        --arg float32[96,64]=unwritten
// expect: clean
// Transpose of a 64x96 matrix through tiles with one column of padding.
constexpr int kTile = 32;
constexpr int kRows = 64;
constexpr int kCols = 96;

__global__ void Transpose(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += blockDim.y) {
    tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * kCols + col];
  }
  __syncthreads();
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += blockDim.y) {
    out[(out_row + k) * kRows + out_col] = tile[threadIdx.x][threadIdx.y + k];
  }
}
