// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: race -- the temporary that each thread should own is one shared variable (volatile, so
//         that the compiler keeps it)
// line: 7, 8
__global__ void k(const int* in, int* out) {
  __shared__ volatile int tmp;
  tmp = in[threadIdx.x] * 2;
  out[threadIdx.x] = tmp;
}
