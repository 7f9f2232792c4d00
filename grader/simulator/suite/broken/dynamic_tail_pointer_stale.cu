// check: --kernel FlagTail --grid 1 --block 32 --shared 128 --arg float32[32]=uniform
//        --arg float32[32]=unwritten
// expect: out-of-bounds -- the pointer to the block's flags points past the dynamic array
// line: 14, 17
// Marks the largest value's place after the values.
extern __shared__ float values[];

__global__ void FlagTail(const float* x, float* out) {
  const int lane = threadIdx.x;
  float* tail = values + blockDim.x;
  values[lane] = x[lane];
  __syncwarp();
  if (lane == 0) {
    tail[0] = values[31];
  }
  __syncwarp();
  out[lane] = values[lane] - tail[0];
}
