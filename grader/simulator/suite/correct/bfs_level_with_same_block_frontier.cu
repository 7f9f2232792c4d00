// check: --kernel k --grid 1 --block 64 --arg int32[64]=permutation --arg int32[64]=zeros
// Levels are exchanged by atomicMin and read after a barrier with another before the next
// change.
__global__ void k(const int* to, int* level) {
  __shared__ int l[64];
  const int v = threadIdx.x;
  l[v] = v == 0 ? 0 : 1000;
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    const int mine = l[v];
    __syncthreads();
    if (mine == i) atomicMin(&l[to[v]], i + 1);
    __syncthreads();
  }
  level[v] = l[v];
}
