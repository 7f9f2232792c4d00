// check: --kernel Flip --grid 2 --block 32 --arg float32[256]=uniform --arg float32[256]=unwritten
// Copies of 16 bytes that are never put in a group: wait_all waits for them, too.
__global__ void Flip(const float4* x, float4* out) {
  __shared__ float4 tile[32];
  const int tid = threadIdx.x;
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(&tile[tid]));
  const float4* source = x + blockIdx.x * 32 + tid;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const float4 value = tile[31 - tid];
  out[blockIdx.x * 32 + tid] = make_float4(value.w, value.z, value.y, value.x);
}
