// check: --kernel k --grid 1 --block 64 --arg int32[512]=index --arg int32[64]=zeros
// expect: race -- the second copy into the tile begins while other threads may still read the first
// line: 10
__global__ void k(const int* in, int* out) {
  __shared__ alignas(16) int s[256];
  const int t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 256 * i + 4 * t)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    sum += s[255 - t];
  }
  out[t] = sum;
}
