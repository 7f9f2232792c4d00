// check: --kernel Relay --grid 2 --block 64 --arg float32[448]=uniform
//        --arg float32[64]=unwritten --arg int32=7
// One lane of a warp polls and arrives; __syncwarp carries the order to the other lanes.
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
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra finished;\n"
      "bra again;\n"
      "finished:\n"
      "}" ::"r"(Address(barrier)),
      "r"(parity)
      : "memory");
}

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ unsigned long long full, empty;
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  const bool producer = threadIdx.x < 32;
  if (threadIdx.x == 0) Init(&full, 1), Init(&empty, 1);
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (lane == 0) Wait(producer ? &empty : &full, producer ? (t & 1) ^ 1 : t & 1);
    __syncwarp();
    if (producer) tile[lane] = x[(blockIdx.x * tiles + t) * 32 + lane];
    if (!producer) sum = 0.5f * sum + tile[31 - lane];
    __syncwarp();
    if (lane == 0) Arrive(producer ? &full : &empty);
  }
  if (!producer) out[blockIdx.x * 32 + lane] = sum;
}
