// check: --kernel Turn --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[512]=unwritten
// expect: unfinished-copy -- the arrival is bound to earlier copies only: this one comes after it
// line: 32, 33, 35
// Each thread turns the four values of a quad round.
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

__global__ void Turn(const float4* x, float4* out) {
  __shared__ unsigned long long barrier;
  __shared__ float4 tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid == 0) Init(&barrier, 64);
  __syncthreads();
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(Address(&barrier))
               : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(Address(&tile[tid])), "l"(&x[i])
               : "memory");
  Wait(&barrier, 0);
  const float4 v = tile[tid];
  out[i] = make_float4(v.w, v.z, v.y, v.x);
}
