// check: --kernel MovingEnd --grid 2 --block 64 --arg int32[250]=integers
//        --arg int32[128]=unwritten
// expect: clean
// Thread 0 moves the end of all threads' loops between two barriers: only thread 0 reads that end
// there.
__global__ void MovingEnd(const int* in, int* out) {
  __shared__ int end;
  const int t = threadIdx.x;
  int at = 0, sum = 0;
  if (t == 0) end = 1;
  __syncthreads();
  while (at < end) {
    sum += in[at++];
    __syncthreads();
    if (t == 0 && end < 5) end = end + 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
