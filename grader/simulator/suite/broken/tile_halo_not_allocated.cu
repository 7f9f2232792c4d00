// check: --kernel BoxSum --grid 1 --block 8,8 --arg float32[8,8]=uniform
//        --arg float32[8,8]=unwritten
// expect: out-of-bounds -- the tile has no room for the halo row that the last row reads
// line: 12
// Adds the value below, taking the tile's row after next.
__global__ void BoxSum(const float* x, float* out) {
  __shared__ float tile[8][8];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  tile[ty][tx] = x[ty * 8 + tx];
  __syncthreads();
  out[ty * 8 + tx] = tile[ty][tx] + tile[ty + 2][tx];
}
