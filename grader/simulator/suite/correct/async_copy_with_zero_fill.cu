// check: --kernel k --grid 1 --block 32 --arg int32[120]=index --arg int32=120
//        --arg int32[32]=zeros
// The size of the source is 0 for pieces behind the end: nothing is read, zeros are written.
__global__ void k(const int* in, int n, int* out) {
  __shared__ alignas(16) int s[128];
  const int t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  const int bytes = 4 * t < n ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(in + (bytes ? 4 * t : 0)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = s[127 - t] + s[127 - 4 * t];
}
