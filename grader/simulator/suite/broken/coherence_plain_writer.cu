// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[2]=zeros
// expect: race -- the writer's stores are weak, so they are not morally strong with the relaxed
//         loads
// line: 11, 12
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
__global__ void k(int* x, int* out) {
  if (blockIdx.x == 0) {
    *x = 2;
  } else {
    int a, b;
    LD("relaxed.gpu", a, x);
    LD("relaxed.gpu", b, x);
    out[0] = a;
    out[1] = b;
  }
}
