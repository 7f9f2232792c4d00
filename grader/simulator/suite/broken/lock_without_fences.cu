// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- atomicCAS and atomicExch are relaxed, and no fence orders the critical section
// line: 8
__global__ void k(int* lock, int* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += 1;
    atomicExch(lock, 0);
  }
}
