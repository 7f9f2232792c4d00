// check: --kernel Forces --grid 2 --block 64 --arg float32[128,4]=uniform
//        --arg float32[128]=unwritten --arg int32=128
// Forces between all particles; a tile of 16-byte records is fetched while another is used.
#include <cuda_pipeline.h>

struct __align__(16) Particle {
  float x, y, z;
  float mass;
};

__global__ void Forces(const Particle* particles, float* force, int n) {
  __shared__ Particle tiles[2][32];
  const int tid = threadIdx.x;
  const Particle own = particles[blockIdx.x * 64 + tid];
  const int count = n / 32;
  if (tid < 32) __pipeline_memcpy_async(&tiles[0][tid], &particles[tid], sizeof(Particle));
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < count; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (tid < 32 && t + 1 < count) {
      __pipeline_memcpy_async(&tiles[(t + 1) % 2][tid], &particles[(t + 1) * 32 + tid],
                              sizeof(Particle));
    }
    __pipeline_commit();
    for (int j = 0; j < 32; ++j) {
      const Particle other = tiles[t % 2][j];
      const float dx = other.x - own.x;
      const float dy = other.y - own.y;
      const float dz = other.z - own.z;
      sum += other.mass / (dx * dx + dy * dy + dz * dz + 1.0f);
    }
  }
  force[blockIdx.x * 64 + tid] = sum * own.mass;
}
