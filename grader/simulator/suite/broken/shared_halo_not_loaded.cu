// check: --kernel Smooth --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: uninitialized-read -- the two halo cells of the tile are never loaded
// line: 12
// Three-point sum through a shared tile.
__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int local = threadIdx.x + 1;
  tile[local] = x[i];
  __syncthreads();
  out[i] = tile[local - 1] + tile[local] + tile[local + 1];
}
