// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[32]=zeros
// Calls through a table and a recursion of small depth.
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int twice(int n) {
  return 2 * n;
}
__global__ void k(const int* in, int* out) {
  int (*f[2])(int) = {fib, twice};
  out[threadIdx.x] = f[in[threadIdx.x] % 2](in[threadIdx.x] % 8);
}
