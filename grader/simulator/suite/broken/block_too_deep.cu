// check: --kernel FillDepth --grid 1 --block 2,1,128 --arg float32[256]=unwritten
// expect: bad-launch -- the third extent of a block may be at most 64

// Fills a thin volume with the depth of each cell.
__global__ void FillDepth(float* out) {
  const int depth = threadIdx.z;
  const int width = blockDim.x;
  const int cell = depth * width + threadIdx.x;
  out[cell] = static_cast<float>(depth);
}
