// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: race -- bar.arrive does not wait: warp 0 reads what warp 1 writes before its own bar.sync
// line: 12
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32)
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[63 - t];
}
