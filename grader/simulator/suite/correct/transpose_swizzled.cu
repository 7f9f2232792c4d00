// check: --kernel TransposeSwizzled --grid 2,2 --block 16,16 --arg int32[32,32]=integers
//        --arg int32[32,32]=unwritten
// expect: clean
// Square transpose; the tile avoids bank conflicts by an exclusive-or of column and row.
constexpr int kTile = 16;
constexpr int kSize = 32;

__global__ void TransposeSwizzled(const int* in, int* out) {
  __shared__ int tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;
  tile[ty][tx ^ ty] = in[row * kSize + col];
  __syncthreads();
  const int out_col = blockIdx.y * kTile + tx;
  const int out_row = blockIdx.x * kTile + ty;
  out[out_row * kSize + out_col] = tile[tx][ty ^ tx];
}
