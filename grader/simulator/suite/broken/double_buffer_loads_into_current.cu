// check: --kernel MirrorSums --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: race -- the next tile is loaded into the buffer that others still read
// line: 16, 17
// Sums x[mirror of i] over a row of tiles, loading one tile ahead.
constexpr int kTile = 64;

__global__ void MirrorSums(const float* x, float* out, int tiles) {
  __shared__ float buffer[kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  buffer[tid] = mine[tid];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 1; t <= tiles; ++t) {
    sum += buffer[kTile - 1 - tid];
    if (t < tiles) buffer[tid] = mine[t * kTile + tid];
    __syncthreads();
  }
  out[blockIdx.x * kTile + tid] = sum;
}
