// check: --kernel k --grid 2 --block 64 --arg uint32=7 --arg float32[128]=unwritten
// only with: nvrtc
// Each thread draws from a generator of its own.
#include <curand_kernel.h>

__global__ void k(unsigned seed, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  out[i] = curand_uniform(&state) + curand_normal(&state);
}
