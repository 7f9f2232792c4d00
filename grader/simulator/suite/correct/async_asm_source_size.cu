// check: --kernel PaddedSums --grid 1 --block 32 --arg float32[101]=uniform
//        --arg float32[32]=unwritten --arg int32=101
// The last quad is partly filled and the ones after it are all zeros, by the source size.
__global__ void PaddedSums(const float* x, float* out, int n) {
  __shared__ __align__(16) float tile[128];
  const int first = 4 * threadIdx.x;
  const int count = max(0, min(4, n - first));
  const float* source = count > 0 ? x + first : x;
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(tile + first));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source),
               "r"(count * 4)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 4; ++j) sum += tile[threadIdx.x + 32 * j];
  out[threadIdx.x] = sum;
}
