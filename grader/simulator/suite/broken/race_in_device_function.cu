// check: --kernel CollectPositive --grid 1 --block 64 --arg float32[64]=uniform
//        --arg int32[65]=zeros
// expect: race -- the push reads and raises the shared count without an atomic
// line: 12, 13, 14
// Collects the indices of positive values in a shared stack.
struct Stack {
  int count;
  int items[64];
};

__device__ void Push(Stack* stack, int item) {
  const int slot = stack->count;
  stack->items[slot] = item;
  stack->count = slot + 1;
}

__global__ void CollectPositive(const float* x, int* out) {
  __shared__ Stack stack;
  if (threadIdx.x == 0) stack.count = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0.0f) Push(&stack, threadIdx.x);
  __syncthreads();
  const int tid = threadIdx.x;
  if (tid < stack.count) out[tid] = stack.items[tid];
}
