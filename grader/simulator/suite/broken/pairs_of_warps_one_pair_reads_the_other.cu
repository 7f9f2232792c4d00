// check: --kernel k --grid 1 --block 128 --arg int32[128]=zeros --arg int32[128]=zeros
// expect: race -- each pair of warps meets itself, and reads what the other pair wrote to global
//         memory
// line: 9
__global__ void k(int* a, int* out) {
  const int t = threadIdx.x, pair = t / 64;
  a[t] = -t;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  out[t] = a[127 - t];
}
