// check: --kernel Ring --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: barrier-deadlock, race -- the parity is never changed, so each second wait returns at
// once line: 34, 37 Steps with two buffers and one barrier.
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
  __shared__ float values[2][64];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  float value = x[blockIdx.x * 64 + tid];
  const unsigned parity = 0;
  for (int step = 0; step < steps; ++step) {
    values[step & 1][tid] = value;
    Arrive(&barrier);
    Wait(&barrier, parity);
    value = 0.5f * value + values[step & 1][(tid + 33) % 64];
  }
  out[blockIdx.x * 64 + tid] = value;
}
