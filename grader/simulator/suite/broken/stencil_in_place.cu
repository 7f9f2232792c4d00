// check: --kernel k --grid 2 --block 64 --arg float32[128]=uniform
// expect: race -- each thread overwrites an element that its neighbours read
// line: 6
__global__ void k(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < 127) a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}
