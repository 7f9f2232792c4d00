// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- the flag in shared memory is read and written by plain accesses of two warps
// line: 8, 9
__global__ void k(int* in, int* out) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) ready = 1;
  if (threadIdx.x == 32 && ready) *out = 1;
}
