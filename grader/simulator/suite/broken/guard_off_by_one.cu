// check: --kernel k --grid 2 --block 64 --arg float32[100]=ones --arg int32=100
// expect: out-of-bounds -- the guard uses <= and lets element n through
// line: 6
__global__ void k(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] *= 2;
}
