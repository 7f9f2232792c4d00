// check: --kernel Relay --grid 1 --block 96 --arg float32[256]=uniform
//        --arg float32[64]=unwritten --arg int32=4
// expect: barrier-deadlock -- the consumers meet at a __syncthreads that the producer never comes
//         to: it waits for the empty barrier
// line: 20, 21, 22, 23, 24, 37, 46
// One stage between a producer warp and two consumer warps.
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
  __shared__ unsigned long long full, empty;
  __shared__ float stage[64];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&full, 32), Init(&empty, 1);
  __syncthreads();
  if (tid < 32) {
    for (int t = 0; t < tiles; ++t) {
      Wait(&empty, (t & 1) ^ 1);
      for (int j = tid; j < 64; j += 32) stage[j] = x[t * 64 + j];
      Arrive(&full);
    }
  } else {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      Wait(&full, t & 1);
      sum += stage[95 - tid];
      __syncthreads();
      if (tid == 32) Arrive(&empty);
    }
    out[tid - 32] = sum;
  }
}
