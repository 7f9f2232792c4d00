// check: --kernel k --grid 1 --block 32 --arg int32[32]=index
// expect: out-of-bounds -- lane 7 writes through a null pointer (loaded, so that the compiler
//         cannot know it)
// line: 10
__global__ void k(int* a) {
  __shared__ int* p[32];
  const int t = threadIdx.x;
  p[t] = t == 7 ? nullptr : a + t;
  __syncthreads();
  *p[t ^ 1] = 1;
}
