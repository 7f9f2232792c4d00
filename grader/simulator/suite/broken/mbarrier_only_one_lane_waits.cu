// check: --kernel Table --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- only the first lane waits, and nothing orders the others behind it
// line: 35, 39
// One warp fills a table, the other one uses it.
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

__global__ void Table(const float* x, float* out) {
  __shared__ unsigned long long full;
  __shared__ float table[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) Init(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    table[lane] = x[blockIdx.x * 32 + lane];
    Arrive(&full);
  } else {
    if (lane == 0) Wait(&full, 0);
    out[blockIdx.x * 32 + lane] = table[31 - lane];
  }
}
