// check: --kernel k --grid 1 --block 64 --arg int32[256]=index --arg int32[64]=zeros
// expect: race -- cp.async.wait_all makes only the thread's own copies visible to itself; others'
//         need a barrier
// line: 11
__global__ void k(const int* in, int* out) {
  __shared__ alignas(16) int s[256];
  const int t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * t) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[255 - t];
}
