// check: --kernel Relay --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[64]=unwritten --arg int32=8
// expect: race, barrier-deadlock -- the consumer always waits for the full barrier of stage 0, also
// before stage 1 line: 20, 23, 37, 44 Two stages between a producer warp and a consumer warp.
__device__ unsigned Address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void Init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Address(barrier)), "r"(count) : "memory");
}
__device__ void Arrive(unsigned long long* barrier) {
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(Address(barrier))
      : "memory");
}
__device__ void Wait(unsigned long long* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(Address(barrier)), "r"(parity)
        : "memory");
  }
}

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ float stages[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) Init(&full[threadIdx.x], 32), Init(&empty[threadIdx.x], 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      Wait(&empty[t & 1], (t >> 1 & 1) ^ 1);
      stages[t & 1][lane] = x[(blockIdx.x * tiles + t) * 32 + lane];
      Arrive(&full[t & 1]);
    }
  } else {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      Wait(&full[0], t >> 1 & 1);
      sum = 0.5f * sum + stages[t & 1][31 - lane];
      Arrive(&empty[t & 1]);
    }
    out[blockIdx.x * 32 + lane] = sum;
  }
}
