// check: --kernel k --grid 1 --block 16,8 --arg float32[8,16]=ones --arg float32[8,16]=zeros
// expect: out-of-bounds -- x and y are exchanged: rows up to 15 of 8 are reached
// line: 6
__global__ void k(const float* in, float* out) {
  const int row = threadIdx.x, col = threadIdx.y;
  out[row * 16 + col] = in[row * 16 + col];
}
