// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: divergent-barrier -- lanes execute different numbers of __syncwarp() with the full mask
//         and then wait at a shuffle
// line: 10
__global__ void k(int* out) {
  const int t = threadIdx.x;
  int v = t;
  for (int i = 0; i < t % 3; ++i) {
    v += i;
    __syncwarp();
  }
  out[t] = __shfl_xor_sync(0xffffffffu, v, 1);
}
