// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- atomicExch and atomicCAS are relaxed: they do not order the accesses of data
// line: 10
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 1;
    atomicExch(flag, 1);
  } else if (atomicCAS(flag, 1, 2) == 1) {
    *out = *data;
  }
}
