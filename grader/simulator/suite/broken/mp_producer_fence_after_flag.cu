// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the fence stands after the flag's store, so nothing orders data before the flag
// line: 13
__global__ void k(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
    __threadfence();
  } else if (*flag == 1) {
    __threadfence();
    *out = *data;
  }
}
