// check: --kernel PairwiseHandOver --grid 2 --block 32 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- leaving a branch does not order its writes before other lanes' reads
// line: 12, 15
// Even lanes leave a value for their odd neighbours.
__global__ void PairwiseHandOver(const float* x, float* out) {
  __shared__ float slots[16];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * 32 + lane;
  float value = x[i];
  if (lane % 2 == 0) {
    slots[lane / 2] = value;
  }
  if (lane % 2 == 1) {
    value -= slots[lane / 2];
  }
  out[i] = value;
}
