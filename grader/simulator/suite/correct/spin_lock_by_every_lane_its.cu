// check: --kernel k --grid 1 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
// With independent thread scheduling (from 7.0 on) a lane that holds the lock makes progress
// while others spin.
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += threadIdx.x;
  __threadfence();
  atomicExch(lock, 0);
}
