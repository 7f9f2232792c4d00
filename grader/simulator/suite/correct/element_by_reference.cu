// check: --kernel Copy --grid 4 --block 32 --arg int32[128]=zeros --arg int32[100]=ones --arg
// int32=100 expect: clean An element beyond the end is named, and not read: Clang loads what a
// reference stands for.
__device__ int ElementOrZero(const int& element, bool inside) {
  return inside ? element : 0;
}

__global__ void Copy(int* out, const int* in, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = ElementOrZero(in[i], i < n);
}
