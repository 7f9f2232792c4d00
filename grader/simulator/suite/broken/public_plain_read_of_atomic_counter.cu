// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros --arg int32[4]=zeros
// expect: race -- a plain load of the counter while other blocks add to it
// line: 7
__global__ void k(int* count, int* seen) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    seen[blockIdx.x] = *count;
  }
}
