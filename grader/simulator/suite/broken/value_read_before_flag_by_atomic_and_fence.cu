// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- data is read before the flag; the fence behind the flag's read does not order
//         what came before it
// line: 12
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 5;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    const int early = *data;
    const int f = atomicAdd(flag, 0);
    __threadfence();
    if (f == 1) *out = early;
  }
}
