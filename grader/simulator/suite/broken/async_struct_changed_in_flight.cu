// check: --kernel Kick --grid 2 --block 32 --arg float32[64,4]=uniform
//        --arg float32[64]=unwritten
// expect: unfinished-copy -- a member is raised before the record has arrived
// line: 14
// Particles get a kick in x, then each meets its neighbour.
#include <cuda_pipeline.h>

struct __align__(16) Particle {
  float x, y, z;
  float mass;
};

__device__ void Push(Particle* particle, float step) {
  particle->x += step;
}

__global__ void Kick(const Particle* particles, float* out) {
  __shared__ Particle tile[32];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 32 + tid;
  __pipeline_memcpy_async(&tile[tid], &particles[i], sizeof(Particle));
  __pipeline_commit();
  Push(&tile[tid], 0.5f);
  __pipeline_wait_prior(0);
  __syncthreads();
  const Particle other = tile[(tid + 1) % 32];
  out[i] = other.mass * (other.x - tile[tid].x);
}
