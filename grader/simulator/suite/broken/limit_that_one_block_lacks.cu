// check: --kernel CountAboveLimit --grid 4 --block 64 --arg int32[250]=integers
//        --arg int32[256]=unwritten
// expect: uninitialized-read -- block 0 reads a limit that only the other blocks write
// line: 13, 14, 15
// Threads from 4 on test whether an element is above their block's limit.
__global__ void CountAboveLimit(const int* in, int* out) {
  __shared__ int limit;
  const int t = threadIdx.x;
  const int block = blockIdx.x;
  if (t == 0 && block > 0) limit = 2 * block + 1;
  __syncthreads();
  int result = 2;
  if (t > 3) {
    if (in[t] > limit) {
      result = in[t];
    }
  }
  out[block * blockDim.x + t] = result;
}
