// check: --kernel ReverseTile --grid 1 --block 80 --arg float32[80]=uniform
//        --arg float32[80]=unwritten
// expect: race -- the last half warp's loads come after the barrier that all threads wait for
// line: 11, 12
// Reverses 80 values through a shared tile.
__global__ void ReverseTile(const float* x, float* out) {
  __shared__ float tile[80];
  const int tid = threadIdx.x;
  if (tid < 64) tile[tid] = x[tid];
  __syncthreads();
  if (tid >= 64) tile[tid] = x[tid];
  out[tid] = tile[79 - tid];
}
