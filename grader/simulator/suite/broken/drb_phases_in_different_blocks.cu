// check: --kernel k --grid 2 --block 64 --arg int32[128]=zeros --arg int32[128]=zeros
// expect: race -- the second phase reads what another block wrote in the first; __syncthreads()
//         joins only one block
// line: 9
__global__ void k(int* a, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  b[i] = a[127 - i];
}
