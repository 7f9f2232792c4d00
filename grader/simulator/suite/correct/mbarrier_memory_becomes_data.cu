// check: --kernel Reuse --grid 1 --block 64 --shared 512 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// Dynamic shared memory holds a barrier and a tile; after inval the barrier's bytes are data.
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

__global__ void Reuse(const float* x, float* out) {
  float* tile = reinterpret_cast<float*>(arena + 1);
  const int tid = threadIdx.x;
  if (tid == 0) Init(arena, 64);
  __syncthreads();
  tile[tid] = x[tid];
  Arrive(arena);
  Wait(arena, 0);
  const float sum = tile[tid] + tile[tid ^ 32];
  __syncthreads();
  if (tid == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(Address(arena)) : "memory");
  __syncthreads();
  float* all = reinterpret_cast<float*>(arena);
  all[tid] = sum;
  __syncthreads();
  out[tid] = all[63 - tid];
}
