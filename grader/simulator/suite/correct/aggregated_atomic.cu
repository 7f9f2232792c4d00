// check: --kernel k --grid 2 --block 64 --arg int32[128]=index --arg int32[1]=zeros
//        --arg int32[128]=zeros
// A ballot of the whole warp before the branch gives the mask of its lanes; the leader reserves,
// the others get it by shuffle.
__global__ void k(const int* in, int* count, int* out) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
  const bool keep = in[i] % 3 == 0;
  const unsigned mask = __ballot_sync(0xffffffffu, keep);
  if (!keep) return;
  const int leader = __ffs(mask) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}
