// check: --kernel Relay --grid 2 --block 96 --arg float32[1024]=uniform
//        --arg float32[64]=unwritten --arg int32=8
// Two producer warps store the halves of a tile, one consumer warp adds; full and empty barriers
// for three stages, waited for by parity.
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
  __shared__ unsigned long long full[3], empty[3];
  __shared__ float stages[3][64];
  const int tid = threadIdx.x;
  if (tid < 3) {
    Init(&full[tid], 64);
    Init(&empty[tid], 32);
  }
  __syncthreads();
  if (tid < 64) {
    for (int t = 0; t < tiles; ++t) {
      const int s = t % 3;
      Wait(&empty[s], (t / 3 & 1) ^ 1);
      stages[s][tid] = x[(blockIdx.x * tiles + t) * 64 + tid];
      Arrive(&full[s]);
    }
  } else {
    const int lane = tid - 64;
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      const int s = t % 3;
      Wait(&full[s], t / 3 & 1);
      sum = 0.5f * sum + stages[s][lane] * stages[s][63 - lane];
      Arrive(&empty[s]);
    }
    out[blockIdx.x * 32 + lane] = sum;
  }
}
