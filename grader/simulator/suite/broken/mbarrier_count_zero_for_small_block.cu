// check: --kernel Flip --grid 1 --block 24 --arg float32[24]=uniform
//        --arg float32[24]=unwritten
// expect: trap -- a block of 24 threads has no whole warp, so the count is 0, which init forbids
// line: 10, 19, 20, 21, 22, 32, 36, 37
// A lane of each warp arrives for its warp.
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

__global__ void Flip(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[24];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, blockDim.x / 32);
  __syncthreads();
  tile[tid] = x[tid];
  __syncwarp(0xffffffu);
  if (tid % 32 == 0) Arrive(&barrier);
  Wait(&barrier, 0);
  out[tid] = tile[23 - tid];
}
