// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
// __threadfence() after taking and before giving back the lock orders the critical sections.
__global__ void k(int* lock, int* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
