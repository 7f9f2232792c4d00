// check: --kernel k --grid 1 --block 32 --arg int32[1024]=index
// Each thread walks down its own column with a dependence along it.
__global__ void k(int* m) {
  for (int r = 1; r < 32; ++r) m[r * 32 + threadIdx.x] += m[(r - 1) * 32 + threadIdx.x];
}
