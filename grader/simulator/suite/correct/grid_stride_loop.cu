// check: --kernel k --grid 2 --block 32 --arg int32[250]=zeros --arg int32=250
// The stride is the number of threads of the grid.
__global__ void k(int* a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = i;
}
