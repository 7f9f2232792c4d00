// check: --kernel Mirror --grid 1 --block 64 --shared 264 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race, trap -- the tile begins at the barrier instead of behind it: two threads store over
// the
//         object at which the others arrive
// line: 14, 15, 16, 20, 21, 22, 23, 37, 38, 39
// Barrier and tile share dynamic shared memory.
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

extern __shared__ unsigned long long arena[];

__global__ void Mirror(const float* x, float* out) {
  unsigned long long* barrier = arena;
  float* tile = reinterpret_cast<float*>(arena);
  const int tid = threadIdx.x;
  if (tid == 0) Init(barrier, 64);
  __syncthreads();
  tile[tid] = x[tid];
  Arrive(barrier);
  Wait(barrier, 0);
  out[tid] = tile[63 - tid];
}
