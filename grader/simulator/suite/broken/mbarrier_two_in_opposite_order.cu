// check: --kernel Exchange --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: barrier-deadlock -- each warp waits for the other one before it arrives itself
// line: 19, 20, 21, 22, 23, 37, 40
// Two warps exchange their values, with one barrier for each direction.
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

__global__ void Exchange(const float* x, float* out) {
  __shared__ unsigned long long ready[2];
  __shared__ float tile[2][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) Init(&ready[threadIdx.x], 32);
  __syncthreads();
  tile[warp][lane] = x[threadIdx.x];
  if (warp == 0) {
    Wait(&ready[1], 0);
    Arrive(&ready[0]);
  } else {
    Wait(&ready[0], 0);
    Arrive(&ready[1]);
  }
  out[threadIdx.x] = tile[1 - warp][lane];
}
