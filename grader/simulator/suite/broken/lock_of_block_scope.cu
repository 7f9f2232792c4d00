// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- the lock's compare-and-swap has block scope, but threads of several blocks
//         compete for it
// line: 10, 12
__global__ void k(int* lock, int* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch_block(lock, 0);
  }
}
