// check: --kernel Pairs --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: trap -- the last arrival would complete the phase, which .noComplete must not do
// line: 14, 15, 16, 17, 30, 31, 32, 33
// Two arrivals of each thread, both at once and without completion.
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

__global__ void Pairs(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, 2 * 64);
  __syncthreads();
  tile[tid] = x[tid];
  asm volatile("{ .reg .b64 state; mbarrier.arrive.noComplete.shared.b64 state, [%0], 2; }" ::"r"(
                   Address(&barrier))
               : "memory");
  Wait(&barrier, 0);
  out[tid] = tile[tid ^ 33];
}
