// check: --kernel k --grid 1 --block 8 --arg int32[64]=index --arg int32[8]=zeros
// expect: misaligned, uninitialized-read -- a copy of 16 bytes begins at byte 4 of the tile
// line: 8, 11
__global__ void k(const int* in, int* out) {
  __shared__ alignas(16) int s[64];
  const int t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(s + 1 + 4 * t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * t) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = s[1 + t];
}
