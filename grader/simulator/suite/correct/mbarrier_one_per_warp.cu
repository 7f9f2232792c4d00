// check: --kernel Reverse --grid 2 --block 128 --arg int32[256]=integers
//        --arg int32[256]=unwritten --arg int32=3
// Each warp has a barrier for itself and may be phases ahead of the others.
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

__global__ void Reverse(const int* x, int* out, int rounds) {
  __shared__ unsigned long long barriers[4];
  __shared__ int tiles[4][2][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (lane == 0) Init(&barriers[warp], 32);
  __syncwarp();
  int value = x[blockIdx.x * 128 + threadIdx.x];
  for (int r = 0; r < rounds + warp; ++r) {
    tiles[warp][r & 1][lane] = value;
    Arrive(&barriers[warp]);
    Wait(&barriers[warp], r & 1);
    value = tiles[warp][r & 1][31 - lane] + r;
  }
  out[blockIdx.x * 128 + threadIdx.x] = value;
}
