// check: --kernel k --grid 1 --block 4 --arg int32[4]=zeros
// expect: out-of-bounds -- the same block of the heap is freed twice
// line: 9
__global__ void k(int* out) {
  int* p = (int*)malloc(16);
  *(volatile int*)p = 3;
  out[threadIdx.x] = *(volatile int*)p;
  free(p);
  if (out[threadIdx.x] == 3) free(p);
}
