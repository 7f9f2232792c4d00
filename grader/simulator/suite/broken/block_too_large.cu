// check: --kernel Fill --grid 1 --block 1056 --arg float32[1056]=unwritten --arg float32=1.0
//        --arg int32=1056
// expect: bad-launch -- a block may have at most 1024 threads

// Fills an array with one value.
__global__ void Fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = value;
  }
}
