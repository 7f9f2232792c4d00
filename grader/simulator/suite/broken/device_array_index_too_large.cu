// check: --kernel k --grid 1 --block 33 --arg int32[33]=zeros
// expect: out-of-bounds -- the module's array has 32 elements, the block 33 threads
// line: 6
__device__ int table[32];
__global__ void k(int* out) {
  table[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = table[threadIdx.x];
}
