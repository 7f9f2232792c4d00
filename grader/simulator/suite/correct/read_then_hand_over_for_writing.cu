// check: --kernel k --grid 2 --block 1 --arg int32[1]=ones --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Block 0 reads data before its release, block 1 overwrites it after its acquire: the read is
// before the write.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *out = *data;
    ST("release.gpu", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) *data = 9;
  }
}
