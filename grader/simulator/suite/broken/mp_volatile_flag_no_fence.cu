// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- volatile has the synchronization semantics of relaxed.sys only: it does not order
//         the accesses of data
// line: 12
__global__ void k(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
  } else if (*flag == 1) {
    *out = *data;
  }
}
