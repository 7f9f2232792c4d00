// check: --kernel ExchangeHalves --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=zeros --arg float32[128]=unwritten
// expect: race -- no barrier between writing to scratch and reading another thread's value
// line: 9, 10
// Exchanges the halves of each block's slice through global memory.
__global__ void ExchangeHalves(const float* x, float* scratch, float* out) {
  const int base = blockIdx.x * blockDim.x;
  const int tid = threadIdx.x;
  scratch[base + tid] = x[base + tid];
  out[base + tid] = scratch[base + (tid + 32) % 64];
}
