// check: --kernel k --grid 2 --block 64 --arg float32[100]=ones --arg int32=100
// Only threads with an element access it.
__global__ void k(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
