// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[32]=zeros
// expect: out-of-bounds -- the constant table has 16 elements and is read with indices up to 31
// line: 6
__constant__ int table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__global__ void k(const int* in, int* out) {
  out[threadIdx.x] = table[in[threadIdx.x]];
}
