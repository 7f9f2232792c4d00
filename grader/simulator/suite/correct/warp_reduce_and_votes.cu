// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// All lanes execute the reductions and votes.
__global__ void k(const int* in, int* out) {
  const int v = in[threadIdx.x];
  int r = __reduce_add_sync(0xffffffffu, v) + __reduce_max_sync(0xffffffffu, v);
  if (__any_sync(0xffffffffu, v > 40)) r += 1;
  if (__all_sync(0xffffffffu, v < 32)) r += 2;
  out[threadIdx.x] = r;
}
