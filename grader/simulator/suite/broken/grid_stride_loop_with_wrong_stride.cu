// check: --kernel k --grid 2 --block 32 --arg int32[256]=zeros --arg int32=256
// expect: race -- the stride is the block's size and not the grid's, so blocks write the same
//         elements
// line: 6
__global__ void k(int* a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) a[i] = blockIdx.x + i;
}
