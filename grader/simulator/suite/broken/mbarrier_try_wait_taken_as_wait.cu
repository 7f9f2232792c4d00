// check: --kernel Table --grid 1 --block 64 --arg float32[2048]=uniform
//        --arg float32[32]=unwritten
// expect: race -- try_wait may give up before the phase is complete; its answer is ignored
// line: 27, 33
// One warp adds up rows for a while and hands the sums to the other.
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

__global__ void Table(const float* x, float* out) {
  __shared__ unsigned long long full;
  __shared__ float sums[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) Init(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    float sum = 0.0f;
    for (int j = 0; j < 64; ++j) sum += x[j * 32 + lane];
    sums[lane] = sum;
    Arrive(&full);
  } else {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; }" ::"r"(
                     Address(&full))
                 : "memory");
    out[lane] = sums[31 - lane];
  }
}
