// check: --kernel SortOrReverse --grid 4 --block 32 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// Even blocks swap pairs, odd blocks reverse; each branch has barriers of its own.
__global__ void SortOrReverse(const float* x, float* out) {
  __shared__ float tile[32];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (blockIdx.x % 2 == 0) {
    tile[tid] = x[i];
    __syncthreads();
    out[i] = tile[tid ^ 1];
  } else {
    tile[31 - tid] = 2.0f * x[i];
    __syncthreads();
    out[i] = tile[tid] + 1.0f;
  }
}
