// check: --kernel k --grid 1 --block 96 --arg int32[96]=index --arg int32[96]=zeros
// expect: race -- two threads count, and the reader waits for one of them
// line: 24
__global__ void k(const int* x, int* y) {
  __shared__ int s[2];
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t == 0) {
    s[0] = x[5];
    __threadfence_block();
    atomicAdd(&count, 1);
  }
  if (t == 32) {
    s[1] = x[6];
    __threadfence_block();
    atomicAdd(&count, 1);
  }
  if (t == 64) {
    while (atomicAdd(&count, 0) < 1) {
    }
    __threadfence_block();
    y[0] = s[0];
  }
}
