// check: --kernel InteriorThenBorder --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: uninitialized-read -- the first and the last output element are read but never written
// line: 10, 11
// Averages the interior, then smooths the result once more in registers.
__global__ void InteriorThenBorder(const float* x, float* out) {
  const int i = threadIdx.x;
  if (i > 0 && i < 63) out[i] = 0.5f * (x[i - 1] + x[i + 1]);
  __syncthreads();
  const float left = out[max(i - 1, 0)];
  const float right = out[min(i + 1, 63)];
  __syncthreads();
  if (i > 0 && i < 63) out[i] += 0.1f * (left + right);
}
