// check: --kernel Gate --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten --arg int32=4
// The producer's first lane arrives once for a tile and expects one transaction for each lane;
// the barrier counts a single arrival. A fence orders the stores before the transactions.
__device__ unsigned Address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void Init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Address(barrier)), "r"(count) : "memory");
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

__global__ void Gate(const float* x, float* out, int tiles) {
  __shared__ unsigned long long full[4];
  __shared__ float stages[4][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 4) Init(&full[threadIdx.x], 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      const unsigned barrier = Address(&full[t]);
      if (lane == 0) {
        asm volatile(
            "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 32;" ::"r"(barrier)
            : "memory");
      }
      __syncwarp();
      stages[t][lane] = x[blockIdx.x * 32 + lane] * (t + 1);
      __threadfence_block();
      asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 1;" ::"r"(barrier)
                   : "memory");
    }
  } else {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      Wait(&full[t], 0);
      sum += stages[t][lane ^ 5];
    }
    out[blockIdx.x * 32 + lane] = sum;
  }
}
