// check: --kernel k --grid 1 --block 64 --arg int32[512]=index --arg int32[64]=zeros
// Wait_group 1 leaves only the second group on its way, which is waited for before its use;
// barriers follow both waits.
__global__ void k(const int* in, int* out) {
  __shared__ alignas(16) int s[2][256];
  const int t = threadIdx.x;
  for (int g = 0; g < 2; ++g) {
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[g][4 * t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 256 * g + 4 * t)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  int v = s[0][255 - t];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[t] = v + s[1][255 - t];
}
