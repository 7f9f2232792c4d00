// check: --kernel k --grid 1 --block 4 --arg int32[4]=zeros
// expect: out-of-bounds -- the block of the heap has 4 ints, and the loop writes 5
// line: 6
__global__ void k(int* out) {
  volatile int* p = (int*)malloc(4 * sizeof(int));
  for (int i = 0; i <= 4; ++i) p[i] = i;
  out[threadIdx.x] = p[3];
  free((void*)p);
}
