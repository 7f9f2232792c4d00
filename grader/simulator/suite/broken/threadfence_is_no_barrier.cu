// check: --kernel ReverseTile --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- a fence orders one thread's accesses but waits for no other thread
// line: 9, 11
// Reverses each block's slice through shared memory.
__global__ void ReverseTile(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  tile[tid] = x[blockIdx.x * 64 + tid];
  __threadfence_block();
  out[blockIdx.x * 64 + tid] = tile[63 - tid];
}
