// check: --kernel k --grid 4 --block 32 --arg float32[132]=ones --arg float32[132]=zeros
// Each block computes the halo of the first step itself, in shared memory.
__global__ void k(const float* a, float* out) {
  __shared__ float b[34];
  const int base = blockIdx.x * 32;
  for (int j = threadIdx.x; j < 34; j += 32)
    b[j] = (a[base + j] + a[base + j + 2 < 132 ? base + j + 2 : 131]) / 2;
  __syncthreads();
  out[base + 2 + threadIdx.x] = (b[threadIdx.x] + b[threadIdx.x + 2]) / 2;
}
