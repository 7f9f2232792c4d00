// check: --kernel Count --grid 1 --block 64 --shared 136 --arg int32[64]=integers
//        --arg int32[32]=unwritten
// expect: trap -- the arena is cleared after init; behind the __syncthreads there is no valid
//         barrier any more, and an operation on such an object is undefined
// line: 14, 15, 16, 20, 21, 22, 23, 36, 39, 40
// A histogram with its barrier in front of the bins.
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

__global__ void Count(const int* x, int* bins) {
  int* counts = reinterpret_cast<int*>(arena + 1);
  const int tid = threadIdx.x;
  if (tid == 0) Init(arena, 64);
  __syncthreads();
  if (tid < 17) arena[tid] = 0;
  __syncthreads();
  atomicAdd(&counts[x[tid] & 31], 1);
  Arrive(arena);
  Wait(arena, 0);
  if (tid < 32) bins[tid] = counts[tid];
}
