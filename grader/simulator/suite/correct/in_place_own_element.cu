// check: --kernel Relax --grid 5 --block 50 --arg float32[240]=uniform --arg float32=0.9
//        --arg int32=240
// expect: clean
// Rectifies and damps an array in place; every thread touches its own element only.
__global__ void Relax(float* x, float damping, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = fmaxf(x[i], 0.0f);
    x[i] *= damping;
  }
}
