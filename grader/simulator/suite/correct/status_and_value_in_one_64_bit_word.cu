// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg uint64[5]=zeros
//        --arg int32[4]=zeros
// Decoupled look-back: status and value travel in one atomic word, so no fence is needed.
__global__ void k(int* next, unsigned long long* state, int* out) {
  const int b = atomicAdd(next, 1);
  unsigned sum = 0;
  if (b > 0) {
    unsigned long long s;
    do s = *(volatile unsigned long long*)(state + b - 1);
    while (s >> 32 == 0);
    sum = (unsigned)s;
  }
  atomicExch(state + b, 1ull << 32 | (sum + b));
  out[b] = sum;
}
