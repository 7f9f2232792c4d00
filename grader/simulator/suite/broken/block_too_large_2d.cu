// check: --kernel FillTile --grid 1 --block 48,32 --arg float32[32,48]=unwritten
// expect: bad-launch -- 48 x 32 threads are more than a block can have

// Fills a matrix with the sum of row and column.
__global__ void FillTile(float* out) {
  const int row = threadIdx.y;
  const int col = threadIdx.x;
  const int cell = row * blockDim.x + col;
  out[cell] = static_cast<float>(row + col);
}
