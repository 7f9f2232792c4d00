// check: --kernel Rounds --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten --arg int32=3
// expect: barrier-deadlock, race -- the first thread initialises the barrier anew in each round,
// while others may
//         still wait for the phase of the round before
// line: 11, 12, 14, 15, 16, 20, 21, 22, 23, 35, 37, 38, 39
// Rounds with two buffers; each round waits for the first phase of a new barrier.
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

__global__ void Rounds(const float* x, float* out, int rounds) {
  __shared__ unsigned long long barrier;
  __shared__ float values[2][64];
  const int tid = threadIdx.x;
  float value = x[tid];
  for (int round = 0; round < rounds; ++round) {
    if (tid == 0) Init(&barrier, 64);
    __syncthreads();
    values[round & 1][tid] = value;
    Arrive(&barrier);
    Wait(&barrier, 0);
    value += values[round & 1][63 - tid];
  }
  out[tid] = value;
}
