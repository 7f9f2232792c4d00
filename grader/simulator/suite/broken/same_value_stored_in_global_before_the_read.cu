// check: --kernel Shift --grid 1 --block 64 --arg int32[2]=index --arg int32[1]=zeros
//        --arg int32[64]=unwritten
// expect: race -- thread 32 may store before thread 0 has read, though it stores the same value
// line: 9, 10
// Both warps put the next limit where the old one was, which thread 0 still needs.
__global__ void Shift(const int* limits, int* limit, int* out) {
  __syncthreads();
  int old = 0;
  if (threadIdx.x == 0) old = *limit;
  if (threadIdx.x % 32 == 0) *limit = limits[1];
  __syncthreads();
  out[threadIdx.x] = old + *limit;
}
