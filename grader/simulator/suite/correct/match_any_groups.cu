// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[4]=zeros
// Lanes with equal keys find each other; their leader alone adds for all.
__global__ void k(const int* in, int* count) {
  const int key = in[threadIdx.x] % 4;
  const unsigned same = __match_any_sync(0xffffffffu, key);
  if (__ffs(same) - 1 == (int)threadIdx.x) count[key] += __popc(same);
}
