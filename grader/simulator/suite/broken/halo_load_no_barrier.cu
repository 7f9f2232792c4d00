// check: --kernel Smooth --grid 2 --block 64 --arg float32[130]=uniform
//        --arg float32[128]=unwritten
// expect: race -- no barrier between loading the tile with its halo and the stencil
// line: 10, 11, 12
// Three-point sum through a shared tile; the input has one more value at each end.
__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  tile[tid] = x[base + tid];
  if (tid < 2) tile[64 + tid] = x[base + 64 + tid];
  out[base + tid] = tile[tid] + tile[tid + 1] + tile[tid + 2];
}
