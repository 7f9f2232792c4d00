// check: --kernel Mirror --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race, unfinished-copy, warning -- with .noinc the copies arrive in place of the thread;
//         as each thread arrives as well, the phase completes without them
// line: 28, 29, 43, 47, 48
// Mirrors a tile that cp.async brings in.
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
__device__ void CopyWord(float* target, const float* source) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(Address(target)), "l"(source)
               : "memory");
}
__device__ void ArriveWhenCopied(unsigned long long* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(Address(barrier))
               : "memory");
}

__global__ void Mirror(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  CopyWord(&tile[tid], &x[base + tid]);
  ArriveWhenCopied(&barrier);
  Arrive(&barrier);
  Wait(&barrier, 0);
  out[base + tid] = tile[63 - tid];
}
