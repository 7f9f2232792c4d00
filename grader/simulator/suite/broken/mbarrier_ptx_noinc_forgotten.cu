// check: --kernel Mirror --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: barrier-deadlock -- without .noinc the copies take back only the arrival that they have
//         added, and no thread arrives itself
// line: 15, 16, 17, 18, 19, 35, 36
// Mirrors a tile that cp.async brings in.
__device__ unsigned Address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void Init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Address(barrier)), "r"(count) : "memory");
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

__global__ void Mirror(const float* x, float* out) {
  __shared__ unsigned long long barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  CopyWord(&tile[tid], &x[tid]);
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(Address(&barrier)) : "memory");
  Wait(&barrier, 0);
  out[tid] = tile[63 - tid];
}
