// check: --kernel MovingEnd --grid 2 --block 64 --arg int32[250]=integers
//        --arg int32[128]=unwritten
// expect: race -- others read the end while thread 0 moves it
// line: 15, 16
// Thread 0 moves the end of all threads' loops, and some threads read that end at the same time.
__global__ void MovingEnd(const int* in, int* out) {
  __shared__ int end;
  const int t = threadIdx.x;
  int at = 0, sum = 0;
  if (t == 0) end = 1;
  __syncthreads();
  while (at < end) {
    sum += in[at++];
    __syncthreads();
    if (t > 50 && end < 4) sum += 1;
    if (t == 0) end = end < 5 ? end + 1 : end;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
