// check: --kernel k --grid 1 --block 32 --arg int32[128]=index --arg int32[32]=zeros
// expect: unfinished-copy -- cp.async is read without wait_group or wait_all
// line: 11
__global__ void k(const int* in, int* out) {
  __shared__ alignas(16) int s[128];
  const int t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * t) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  out[t] = s[127 - t];
}
