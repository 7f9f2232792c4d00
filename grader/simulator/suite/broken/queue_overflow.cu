// check: --kernel Collect --grid 2 --block 64 --arg float32[128]=uniform --arg int32[100]=unwritten
//        --arg int32[1]=zeros
// expect: out-of-bounds -- 128 items are appended to a queue of 100 slots
// line: 10
// Appends the index of every value that is at least minus two.
__global__ void Collect(const float* x, int* queue, int* length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] >= -2.0f) {
    const int slot = atomicAdd(length, 1);
    queue[slot] = i;
  }
}
