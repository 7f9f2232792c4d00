// check: --kernel k --grid 1 --block 64 --arg int32[65]=index
// All reads come before the barrier, all writes after it (one block).
__global__ void k(int* a) {
  const int i = threadIdx.x;
  const int next = a[i + 1];
  __syncthreads();
  a[i] = next + 1;
}
