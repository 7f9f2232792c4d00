// check: --kernel k --grid 1 --block 8 --arg int32[8]=index --arg int32[8]=zeros
// expect: uninitialized-read -- only the even elements of the local array have values, and an index
//         from memory reads the others too
// line: 8
__global__ void k(const int* in, int* out) {
  volatile int mine[8];
  for (int i = 0; i < 8; i += 2) mine[i] = i;
  out[threadIdx.x] = mine[in[threadIdx.x]];
}
