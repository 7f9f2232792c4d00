// check: --kernel NumberHits --grid 4 --block 64 --arg float32[256]=uniform
//        --arg int32[256]=unwritten
// expect: clean
// Gives every hit the next number of a counter that lives in device memory.
__device__ int hit_counter = 100;

__global__ void NumberHits(const float* x, int* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int number = -1;
  if (x[i] > 0.5f) number = atomicAdd(&hit_counter, 1);
  numbers[i] = number;
}
