// check: --kernel Weighted --grid 2 --block 64 --arg int32[128]=integers
//        --arg int32[128]=unwritten
// expect: clean
// only with: nvrtc
// A struct is passed by value, with a member that no thread sets and no function reads.
struct Particle {
  int mass;
  int unused;
  float speed;
};

__device__ __noinline__ int Weight(Particle particle) {
  return particle.mass + static_cast<int>(particle.speed);
}

__device__ __noinline__ int WeightOfTwo(Particle first, Particle second) {
  return Weight(first) - second.mass;
}

__global__ void Weighted(const int* in, int* out) {
  __shared__ Particle particles[64];
  Particle own[4];
  const int t = threadIdx.x;
  particles[t].mass = in[blockIdx.x * blockDim.x + t];
  particles[t].speed = 2.0f;
  for (int j = 0; j < 4; ++j) {
    own[j].mass = j;
    own[j].speed = 1.0f;
  }
  __syncthreads();
  const Particle other = particles[63 - t];
  out[blockIdx.x * blockDim.x + t] =
      Weight(other) + Weight(own[t & 3]) + WeightOfTwo(other, own[t & 1]);
}
