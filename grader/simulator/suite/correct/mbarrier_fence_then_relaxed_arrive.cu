// check: --kernel Shift --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// A fence before the arrival and one after the wait make up for their relaxed order.
__device__ unsigned Address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void Init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Address(barrier)), "r"(count) : "memory");
}

__global__ void Shift(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  tile[tid] = x[blockIdx.x * 64 + tid];
  unsigned long long state;
  __threadfence_block();
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(Address(&barrier))
               : "memory");
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.relaxed.cta.shared::cta.b64 p, [%1], %2;"
        " selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(Address(&barrier)), "l"(state)
        : "memory");
  }
  __threadfence_block();
  out[blockIdx.x * 64 + tid] = tile[(tid + 40) % 64];
}
