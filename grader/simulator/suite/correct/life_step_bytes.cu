// check: --kernel LifeStep --grid 3,2 --block 8,8 --arg uint8[16,24]=integers
//        --arg uint8[16,24]=unwritten
// expect: clean
// One step of the game of life on a torus of bytes.
constexpr int kRows = 16;
constexpr int kCols = 24;

__global__ void LifeStep(const unsigned char* cells, unsigned char* next) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  int neighbours = 0;
  for (int dy = kRows - 1; dy <= kRows + 1; ++dy) {
    for (int dx = kCols - 1; dx <= kCols + 1; ++dx) {
      neighbours += cells[(row + dy) % kRows * kCols + (col + dx) % kCols] & 1;
    }
  }
  const int alive = cells[row * kCols + col] & 1;
  neighbours -= alive;
  next[row * kCols + col] = neighbours == 3 || (alive && neighbours == 2);
}
