// check: --kernel Ring --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten --arg int32=11
// One barrier, many phases: the parity changes with each of them.
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

__global__ void Ring(const float* x, float* out, int steps) {
  __shared__ unsigned long long barrier;
  __shared__ float values[2][96];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, 96);
  __syncthreads();
  float value = x[blockIdx.x * 96 + tid];
  unsigned parity = 0;
  for (int step = 0; step < steps; ++step) {
    values[step & 1][tid] = value;
    Arrive(&barrier);
    Wait(&barrier, parity);
    parity ^= 1;
    value = values[step & 1][(tid + 37) % 96] + 0.5f * value;
  }
  out[blockIdx.x * 96 + tid] = value;
}
