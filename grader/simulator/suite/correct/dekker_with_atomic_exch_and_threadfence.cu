// check: --kernel k --grid 2 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
// __threadfence() is a sequentially consistent fence of device scope, between a strong store and
// a strong load.
__global__ void k(int* want, int* data) {
  const int me = blockIdx.x;
  atomicExch(want + me, 1);
  __threadfence();
  if (atomicAdd(want + 1 - me, 0) == 0) *data += 1;
}
