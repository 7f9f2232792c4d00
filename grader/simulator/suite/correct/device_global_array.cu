// check: --kernel ThroughScratch --grid 4 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: clean
// Blocks exchange values among their own threads through a global scratch array.
__device__ float scratch[256];

__global__ void ThroughScratch(const float* x, float* out) {
  const int base = blockIdx.x * blockDim.x;
  scratch[base + threadIdx.x] = 3.0f * x[base + threadIdx.x];
  __syncthreads();
  const int partner = blockDim.x - 1 - threadIdx.x;
  out[base + threadIdx.x] = scratch[base + partner];
}
