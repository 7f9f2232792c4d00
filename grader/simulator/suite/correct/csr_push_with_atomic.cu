// check: --kernel k --grid 2 --block 32 --arg float32[64]=ones --arg float32[64]=zeros
// Additions to a neighbour are atomic.
__global__ void k(const float* value, float* next) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  for (int e = 0; e < 2; ++e) atomicAdd(next + (v + 1 + 5 * e) % 64, value[v]);
}
