// check: --kernel k --grid 2 --block 64 --arg int32[128]=index --arg int32[1]=zeros
// All lanes take part in each shuffle, and one atomic by warp adds the sums.
__global__ void k(const int* in, int* out) {
  int v = in[blockIdx.x * 64 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
