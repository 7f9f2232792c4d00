// check: --kernel k --grid 1 --block 4 --arg int32[4]=zeros
// expect: uninitialized-read -- malloc() does not initialise its memory
// line: 7
__global__ void k(int* out) {
  volatile int* p = (int*)malloc(4 * sizeof(int));
  p[0] = 1;
  out[threadIdx.x] = p[0] + p[1];
  free((void*)p);
}
