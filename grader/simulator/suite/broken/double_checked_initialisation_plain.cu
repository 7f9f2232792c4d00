// check: --kernel k --grid 4 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
//        --arg int32[4]=zeros
// expect: race -- the first check reads the plain flag that the lock's holder writes
// line: 12, 17
__global__ void k(int* state, int* table, int* out) {
  if (state[1] == 0) {
    while (atomicCAS(state, 0, 1) != 0) {
    }
    __threadfence();
    if (state[1] == 0) {
      *table = 42;
      state[1] = 1;
    }
    __threadfence();
    atomicExch(state, 0);
  }
  out[blockIdx.x] = *table;
}
