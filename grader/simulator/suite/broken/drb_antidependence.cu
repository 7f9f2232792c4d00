// check: --kernel k --grid 1 --block 64 --arg int32[65]=index
// expect: race -- thread i reads a[i + 1], which thread i + 1 writes
// line: 6
__global__ void k(int* a) {
  const int i = threadIdx.x;
  a[i] = a[i + 1] + 1;
}
