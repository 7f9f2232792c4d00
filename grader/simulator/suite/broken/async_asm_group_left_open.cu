// check: --kernel Swap --grid 2 --block 64 --arg int32[128]=integers --arg int32[128]=integers
//        --arg int32[128]=unwritten
// expect: unfinished-copy -- the second copy stands after the commit and belongs to no group
// line: 21
// Products with the neighbour's value of a second array.
__device__ void CopyWord(int* target, const int* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(source) : "memory");
}

__global__ void Swap(const int* x, const int* y, int* out) {
  __shared__ int x_tile[64];
  __shared__ int y_tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  CopyWord(&x_tile[tid], &x[i]);
  asm volatile("cp.async.commit_group;" ::: "memory");
  CopyWord(&y_tile[tid], &y[i]);
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[i] = x_tile[tid ^ 1] * y_tile[tid ^ 1];
}
