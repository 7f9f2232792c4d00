// check: --kernel k --grid 2 --block 32 --arg int32[65]=index
// Parents are read with relaxed loads of gpu scope and changed with atomicCAS: all strong (first
// version did not compile: the author's mistake).
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
__device__ int find(int* parent, int a) {
  while (true) {
    int p;
    LD("relaxed.gpu", p, parent + a);
    if (p == a) return a;
    a = p;
  }
}
__global__ void k(int* parent) {
  int a = blockIdx.x * blockDim.x + threadIdx.x, b = a + 1;
  while (true) {
    a = find(parent, a);
    b = find(parent, b);
    if (a == b) return;
    const int hi = max(a, b), lo = min(a, b);
    if (atomicCAS(parent + hi, hi, lo) == hi) return;
  }
}
