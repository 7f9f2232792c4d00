// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// only with: nvrtc
// expect: misaligned, race, uninitialized-read -- thread 0 allocates and publishes the pointer, and
//         the others read pointer and content without a barrier
// line: 12
__global__ void k(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) {
    p = (int*)malloc(sizeof(int));
    *p = 3;
  }
  if (threadIdx.x == 32) out[32] = *p;
}
