// check: --kernel Rotate --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- a relaxed wait does not acquire what the others have stored before they arrived
// line: 37, 40
// Rotates a tile by a warp.
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

__device__ void WaitRelaxed(unsigned long long* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;"
        " selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(Address(barrier)), "r"(parity)
        : "memory");
  }
}

__global__ void Rotate(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  tile[tid] = x[i];
  Arrive(&barrier);
  WaitRelaxed(&barrier, 0);
  out[i] = tile[(tid + 32) % 64];
}
