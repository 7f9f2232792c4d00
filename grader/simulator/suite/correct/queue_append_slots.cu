// check: --kernel CollectLarge --grid 4 --block 64 --arg float32[256]=uniform
//        --arg int32[256]=unwritten --arg int32[1]=zeros
// expect: clean
// Appends indices of large values to a queue; the atomic gives every writer its own slot.
__global__ void CollectLarge(const float* x, int* queue, int* length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (fabsf(x[i]) > 0.75f) {
    const int slot = atomicAdd(length, 1);
    queue[slot] = i;
  }
}
