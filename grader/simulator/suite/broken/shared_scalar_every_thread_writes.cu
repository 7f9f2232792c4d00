// check: --kernel ScaleByLast --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- all threads write their own value to one shared scalar
// line: 9
// Scales a block's values by a common factor.
__global__ void ScaleByLast(const float* x, float* out) {
  __shared__ float factor;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  factor = x[i];
  __syncthreads();
  out[i] = x[i] * factor;
}
