// check: --kernel HandOver --grid 2 --block 1 --arg float32[4]=uniform --arg float32[1]=zeros
//        --arg float32[1]=unwritten --arg int32[1]=zeros
// expect: race -- neither side has a fence between the data and the flag
// line: 8, 13
// Block 0 computes a norm, block 1 waits for its flag and takes the root.
__global__ void HandOver(const float* x, float* norm, float* root, int* ready) {
  if (blockIdx.x == 0) {
    *norm = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    atomicExch(ready, 1);
  } else {
    while (atomicAdd(ready, 0) == 0) {
    }
    *root = sqrtf(*norm);
  }
}
