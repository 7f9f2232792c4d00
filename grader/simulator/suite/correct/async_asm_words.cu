// check: --kernel Swap --grid 2 --block 64 --arg int32[128]=integers --arg int32[128]=unwritten
// Copy, group and wait in inline assembly; neighbours swap their words.
__device__ void CopyWord(int* target, const int* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(source) : "memory");
}

__global__ void Swap(const int* x, int* out) {
  __shared__ int tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  CopyWord(&tile[tid], &x[i]);
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[i] = tile[tid ^ 1];
}
