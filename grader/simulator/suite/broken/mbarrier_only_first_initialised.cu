// check: --kernel Halves --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: uninitialized-read -- there are two barriers, and only the first is initialised
// line: 13, 14, 15, 19, 20, 21, 22, 36, 37
// Each warp reverses its half and has a barrier of its own.
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

__global__ void Halves(const float* x, float* out) {
  __shared__ unsigned long long barriers[2];
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int warp = tid / 32;
  if (tid == 0) Init(barriers, 32);
  __syncthreads();
  tile[tid] = x[tid];
  Arrive(&barriers[warp]);
  Wait(&barriers[warp], 0);
  out[tid] = tile[tid ^ 31];
}
