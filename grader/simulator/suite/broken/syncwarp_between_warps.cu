// check: --kernel ReverseTile --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// expect: race -- __syncwarp does not order the accesses of different warps
// line: 9, 11
// Reverses each block's slice through shared memory.
__global__ void ReverseTile(const float* x, float* out) {
  __shared__ float tile[96];
  const int tid = threadIdx.x;
  tile[tid] = x[blockIdx.x * 96 + tid];
  __syncwarp();
  out[blockIdx.x * 96 + tid] = tile[95 - tid];
}
