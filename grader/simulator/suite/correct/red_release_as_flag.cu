// check: --kernel k --grid 3 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Two producers release by red.release on one counter; reading 2 observes both through the chain
// of read-modify-writes.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
__global__ void k(int* data, int* count, int* out) {
  if (blockIdx.x < 2) {
    data[blockIdx.x] = 1;
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(count) : "memory");
  } else {
    int f;
    LD("acquire.gpu", f, count);
    if (f == 2) *out = data[0] + data[1];
  }
}
