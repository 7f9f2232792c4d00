// check: --kernel Tabulate --grid 2 --block 48 --arg float32[96]=uniform
// expect: out-of-bounds -- 96 threads write to a device array of 64
// line: 10
// Stores squares in a device array.
__device__ float squares[64];

__global__ void Tabulate(const float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  squares[i] = value * value;
}
