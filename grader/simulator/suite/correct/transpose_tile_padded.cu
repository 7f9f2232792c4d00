// check: --kernel k --grid 2,2 --block 16,16 --arg float32[1024]=uniform --arg float32[1024]=zeros
// One barrier between filling the tile by rows and reading it by columns.
__global__ void k(const float* in, float* out) {
  __shared__ float tile[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 16 + y) * 32 + blockIdx.x * 16 + x];
  __syncthreads();
  out[(blockIdx.x * 16 + y) * 32 + blockIdx.y * 16 + x] = tile[x][y];
}
