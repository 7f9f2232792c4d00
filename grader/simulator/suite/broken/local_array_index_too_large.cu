// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[32]=zeros
// expect: out-of-bounds -- the local array has 8 elements, and lanes from 8 on write past it
// line: 7
__global__ void k(const int* in, int* out) {
  int mine[8];
  for (int i = 0; i < 8; ++i) mine[i] = i;
  mine[in[threadIdx.x]] = 5;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += mine[(i + in[threadIdx.x]) % 8];
  out[threadIdx.x] = sum;
}
