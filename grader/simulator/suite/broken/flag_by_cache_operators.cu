// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- __stcg and __ldcg are weak accesses: cache operators are performance hints and no
//         synchronization, so the flag races
// line: 11, 13
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 5;
    __threadfence();
    __stcg(flag, 1);
  } else if (__ldcg(flag) == 1) {
    __threadfence();
    *out = *data;
  }
}
