// check: --kernel k --grid 2,2 --block 8,8 --arg float32[256]=ones --arg float32[256]=ones
//        --arg float32[256]=zeros
// expect: race -- the next tiles overwrite the old ones while other threads still multiply
// line: 11
__global__ void k(const float* a, const float* b, float* c) {
  __shared__ float as[8][8], bs[8][8];
  const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  float sum = 0;
  for (int p = 0; p < 2; ++p) {
    as[y][x] = a[row * 16 + p * 8 + x];
    bs[y][x] = b[(p * 8 + y) * 16 + col];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += as[y][i] * bs[i][x];
  }
  c[row * 16 + col] = sum;
}
