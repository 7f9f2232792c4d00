// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// A volatile access is a strong relaxed one, and __threadfence() before the store and after the
// load makes a release and an acquire pattern of gpu scope.
__global__ void k(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else if (*flag == 1) {
    __threadfence();
    *out = *data;
  }
}
