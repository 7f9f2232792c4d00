// check: --kernel Count --grid 1 --block 32 --arg int32[8]=index --arg int32[32]=unwritten
// expect: race -- the sum is 5 or 6: either thread may come first
// line: 9, 10
// One thread counts on, another sets what the count is going to be.
__global__ void Count(const int* x, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = x[4];
  __syncwarp();
  if (threadIdx.x == 0) atomicAdd(&count, x[1]);
  if (threadIdx.x == 1) count = x[5];
  __syncwarp();
  out[threadIdx.x] = count;
}
