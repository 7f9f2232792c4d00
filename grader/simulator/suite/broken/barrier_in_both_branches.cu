// check: --kernel MirrorHalves --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: divergent-barrier -- the two halves of the block wait at two different barriers
// line: 12, 16
// Mirrors each half of a block's slice, the upper one negated.
__global__ void MirrorHalves(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid < 32) {
    tile[tid] = x[base + tid];
    __syncthreads();
    out[base + tid] = 2.0f * tile[31 - tid];
  } else {
    tile[tid] = -x[base + tid];
    __syncthreads();
    out[base + tid] = tile[95 - tid];
  }
}
