// check: --kernel WorkLoop --grid 2 --block 32 --arg float32[320]=uniform
//        --arg float32[320]=unwritten --arg int32[1]=zeros --arg int32=10
// expect: race -- thread 0 may draw the next ticket while others still read the last one
// line: 9, 11
// Blocks fetch chunks of work until none is left.
__global__ void WorkLoop(const float* x, float* out, int* next_chunk, int chunks) {
  __shared__ int chunk;
  while (true) {
    if (threadIdx.x == 0) chunk = atomicAdd(next_chunk, 1);
    __syncthreads();
    const int mine = chunk;
    if (mine >= chunks) break;
    const int i = mine * blockDim.x + threadIdx.x;
    out[i] = x[i] * x[i];
  }
}
