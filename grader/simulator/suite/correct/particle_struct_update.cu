// check: --kernel MoveParticles --grid 2 --block 50 --arg float32[500]=uniform --arg float32=0.1
//        --arg int32=83
// expect: clean
// Moves particles of six floats; a wall at zero reflects them.
struct Particle {
  float position[3];
  float velocity[3];
};

__global__ void MoveParticles(Particle* particles, float dt, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Particle p = particles[i];
  for (int axis = 0; axis < 3; ++axis) {
    p.position[axis] += dt * p.velocity[axis];
    if (p.position[axis] < 0.0f) p.velocity[axis] = -p.velocity[axis];
  }
  particles[i] = p;
}
