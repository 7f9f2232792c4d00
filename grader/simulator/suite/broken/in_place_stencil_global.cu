// check: --kernel Diffuse --grid 3 --block 50 --arg float32[150]=uniform --arg int32=150
// expect: race -- every thread overwrites a value that its neighbours read
// line: 8, 9
// One diffusion step of an array in place.
__global__ void Diffuse(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    const float neighbours = x[i - 1] + x[i + 1];
    x[i] = 0.5f * x[i] + 0.25f * neighbours;
  }
}
