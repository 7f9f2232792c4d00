// check: --kernel DoubleDot --grid 3 --block 64 --arg float64[150]=uniform
//        --arg float64[150]=uniform --arg float64[1]=zeros --arg int32=150
// expect: clean
// Dot product in double precision; every warp adds its share with one atomic.
__global__ void DoubleDot(const double* x, const double* y, double* dot, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double value = i < n ? x[i] * y[i] : 0.0;
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(dot, value);
}
