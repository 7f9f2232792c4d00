// check: --kernel Shift --grid 1 --block 64 --arg int32[2]=index --arg int32[64]=unwritten
// expect: clean
// Both warps put the next limit where the old one was, which thread 0 has read before the barrier.
__global__ void Shift(const int* limits, int* out) {
  __shared__ int limit;
  if (threadIdx.x == 0) limit = limits[0];
  __syncthreads();
  int old = 0;
  if (threadIdx.x == 0) old = limit;
  __syncthreads();
  if (threadIdx.x % 32 == 0) limit = limits[1];
  __syncthreads();
  out[threadIdx.x] = old + limit;
}
