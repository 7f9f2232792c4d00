// check: --kernel Row --grid 1 --block 1 --arg float32[8]=ones --arg float32[8]=zeros --arg int32=8
// expect: out-of-bounds -- malloc() is given elements and not bytes
// line: 9
// Each thread copies a row through an array on the heap.
__global__ void Row(const float* in, float* out, int n) {
  float* copy = static_cast<float*>(malloc(8));
  const int row = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    copy[i] = in[n * row + i];
  }
  for (int i = 0; i < n; ++i) out[n * row + i] = copy[i];
  free(copy);
}
