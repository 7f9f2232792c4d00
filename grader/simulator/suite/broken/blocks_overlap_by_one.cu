// check: --kernel k --grid 4 --block 32 --arg int32[129]=zeros
// expect: race -- the last thread of a block also writes the first element of the next block
// line: 7
__global__ void k(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
  if (threadIdx.x == 31) out[i + 1] = -1;
}
