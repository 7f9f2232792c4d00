// check: --kernel k --grid 1 --block 64 --arg int32[2]=zeros --arg int32[1]=zeros
// expect: race -- the same between two warps of a block
// line: 9
__global__ void k(int* xy, int* data) {
  if (threadIdx.x % 32) return;
  const int me = threadIdx.x / 32;
  atomicExch(xy + me, 1);
  __threadfence();
  if (atomicAdd(xy + 1 - me, 0) == 1) *data += 1;
}
