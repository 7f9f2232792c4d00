// check: --kernel k --grid 1 --block 1 --arg int32[1]=zeros
// expect: uninitialized-read -- the fourth byte of the word has never been written
// line: 9
__global__ void k(int* out) {
  __shared__ alignas(4) volatile unsigned char b[4];
  b[0] = 1;
  b[1] = 2;
  b[2] = 3;
  out[0] = *(volatile int*)b + 1;
}
