// check: --kernel MarkRunHeads --grid 2 --block 96 --arg int32[192]=integers
//        --arg uint8[192]=unwritten
// expect: clean
// Marks where a run of equal values starts; lane 0 looks across the warp's edge in global memory.
__global__ void MarkRunHeads(const int* x, unsigned char* heads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = x[i];
  int left = __shfl_up_sync(0xffffffffu, value, 1);
  if (threadIdx.x % 32 == 0) left = i > 0 ? x[i - 1] : ~value;
  heads[i] = value != left;
}
