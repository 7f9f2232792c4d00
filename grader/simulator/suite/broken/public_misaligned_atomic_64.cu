// check: --kernel k --grid 1 --block 1 --arg int32[4]=zeros
// expect: misaligned -- a 64-bit atomic needs an address that is a multiple of 8
// line: 5
__global__ void k(int* a) {
  atomicAdd((unsigned long long*)(a + 1), 1ull);
}
