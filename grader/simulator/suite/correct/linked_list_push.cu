// check: --kernel PushNodes --grid 2 --block 64 --arg int32[128]=integers --arg int32[4]=zeros
//        --arg int32[129]=unwritten
// expect: clean
// Pushes every item on one of four linked lists; node 0 marks the end of a list.
__global__ void PushNodes(const int* keys, int* heads, int* next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int node = i + 1;
  const int list = keys[i] & 3;
  const int previous = atomicExch(&heads[list], node);
  next[node] = previous;
}
