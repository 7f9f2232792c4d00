// check: --kernel k --grid 4 --block 32 --arg float32[130]=ones --arg float32[130]=zeros
// expect: race -- the second step reads halo elements that the neighbouring block writes in the
//         first
// line: 9
__global__ void k(float* a, float* b) {
  const int i = 1 + blockIdx.x * 32 + threadIdx.x;
  b[i] = (a[i - 1] + a[i + 1]) / 2;
  __syncthreads();
  a[i] = (b[i - 1] + b[i + 1]) / 2;
}
