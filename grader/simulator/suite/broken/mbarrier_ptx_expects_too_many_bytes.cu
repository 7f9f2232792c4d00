// check: --kernel Mirror --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: barrier-deadlock -- the bytes of 65 elements are expected and those of 64 completed
// line: 19, 20, 21, 22, 23, 44
// Each thread completes the bytes that it stores.
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

__global__ void Mirror(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[65];
  const int tid = threadIdx.x;
  if (tid == 0) {
    Init(&barrier, 64);
    asm volatile(
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(Address(&barrier)),
        "r"(static_cast<unsigned>(sizeof(tile)))
        : "memory");
  }
  __syncthreads();
  tile[tid] = x[tid];
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 4;" ::"r"(Address(&barrier))
               : "memory");
  Arrive(&barrier);
  Wait(&barrier, 0);
  out[tid] = tile[63 - tid];
}
