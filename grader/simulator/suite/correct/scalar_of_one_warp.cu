// check: --kernel FirstWarpsValue --grid 4 --block 64 --arg int32[250]=integers
//        --arg int32[256]=unwritten
// expect: clean
// The first warp's lane 0 loads a value that only its own warp reads, after a __syncwarp().
__global__ void FirstWarpsValue(const int* in, int* out) {
  __shared__ int value;
  const int t = threadIdx.x;
  int mine = 0;
  if (t < 32) {
    if (t == 0) value = in[blockIdx.x];
    __syncwarp();
    mine = value;
    if (mine > 3) mine += value;
  }
  out[blockIdx.x * blockDim.x + t] = mine;
}
