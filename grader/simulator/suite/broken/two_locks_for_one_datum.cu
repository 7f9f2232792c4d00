// check: --kernel k --grid 4 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
// expect: race -- even and odd blocks take different locks, but change the same sum
// line: 9
__global__ void k(int* lock, int* sum) {
  int* mine = lock + blockIdx.x % 2;
  while (atomicCAS(mine, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(mine, 0);
}
