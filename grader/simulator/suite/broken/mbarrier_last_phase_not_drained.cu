// check: --kernel RowSums --grid 2 --block 64 --arg float32[640]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// expect: unfinished-copy -- the last tile is used behind the loop without a wait for its phase
// line: 28, 29, 47, 53
// The next tile is on its way while the current one is used.
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

__global__ void RowSums(const float* x, float* out, int tiles) {
  __shared__ unsigned long long full[2];
  __shared__ float stages[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  if (tid < 2) Init(&full[tid], 64);
  __syncthreads();
  CopyWord(&stages[0][tid], &mine[tid]);
  ArriveWhenCopied(&full[0]);
  float sum = 0.0f;
  for (int t = 0; t + 1 < tiles; ++t) {
    CopyWord(&stages[(t + 1) & 1][tid], &mine[(t + 1) * 64 + tid]);
    ArriveWhenCopied(&full[(t + 1) & 1]);
    Wait(&full[t & 1], t >> 1 & 1);
    sum = 0.5f * sum + stages[t & 1][63 - tid];
    __syncthreads();
  }
  sum = 0.5f * sum + stages[(tiles - 1) & 1][63 - tid];
  out[blockIdx.x * 64 + tid] = sum;
}
