// check: --kernel k --grid 2 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
// The loop releases the lock inside of the branch that took it, so lanes of a warp cannot starve
// each other.
__global__ void k(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
