// check: --kernel Prefix --grid 2 --block 128 --arg int32[256]=integers
//        --arg int32[256]=unwritten
// Each warp waits for the sum of the warp before it and hands its own on.
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

__global__ void Prefix(const int* x, int* out) {
  __shared__ unsigned long long ready[4];
  __shared__ int sums[4];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 4) Init(&ready[threadIdx.x], 1);
  __syncthreads();
  int value = x[blockIdx.x * 128 + threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += left;
  }
  if (warp > 0) {
    Wait(&ready[warp - 1], 0);
    value += sums[warp - 1];
  }
  if (lane == 31) {
    sums[warp] = value;
    Arrive(&ready[warp]);
  }
  out[blockIdx.x * 128 + threadIdx.x] = value;
}
