// check: --kernel k --grid 1 --block 4 --arg int32[4]=zeros
// expect: out-of-bounds -- the block of the heap is read after free()
// line: 9
__global__ void k(int* out) {
  int* p = (int*)malloc(16);
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  free(p);
  out[threadIdx.x] += ((volatile int*)p)[0];
}
