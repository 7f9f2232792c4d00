// check: --kernel scaled_last --grid 1 --block 32 --arg int32[8]=index --arg int32[32]=unwritten
//        --arg int32=8
// expect: uninitialized-read -- the function gets the element after those that were filled
// line: 15
// Keeps the elements of a short vector, and passes one of them to a function.
__device__ __noinline__ int scaled(int value, int factor) {
  int result = 0;
  for (int i = 0; i < factor; ++i) result = result * 3 + value;
  return result;
}

__global__ void scaled_last(const int* in, int* out, int n) {
  int kept[16];
  for (int i = 0; i < n; ++i) kept[(i + threadIdx.x) % 16] = in[i];
  out[threadIdx.x] = scaled(kept[(n + threadIdx.x) % 16], n);
}
