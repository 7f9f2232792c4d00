// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: out-of-bounds -- thread 0 frees the block with no barrier after the others' reads
// line: 11
__global__ void k(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) {
    p = (int*)malloc(sizeof(int));
    *p = 3;
  }
  __syncthreads();
  out[threadIdx.x] = *p;
  if (threadIdx.x == 0) free(p);
}
