// check: --kernel GuardedMirror --grid 4 --block 64 --arg float32[200]=uniform
//        --arg float32[200]=unwritten --arg int32=200
// expect: warning -- threads past the end return before a barrier that the others reach
// Mirrors pairs of values; the threads past the end have left before the barrier.
__global__ void GuardedMirror(const float* x, float* out, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}
