// check: --kernel NeighbourSum --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- the last thread reads one element past the shared tile
// line: 12
// Adds the right neighbour of each value.
__global__ void NeighbourSum(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  tile[tid] = x[i];
  __syncthreads();
  out[i] = tile[tid] + tile[tid + 1];
}
