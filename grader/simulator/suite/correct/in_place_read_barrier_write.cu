// check: --kernel RotateLeft --grid 1 --block 200 --arg int32[200]=integers --arg int32=200
// expect: clean
// Rotates a global array by one place inside one block: read, barrier, write.
__global__ void RotateLeft(int* x, int n) {
  const int i = threadIdx.x;
  int next = 0;
  if (i < n) next = x[(i + 1) % n];
  __syncthreads();
  if (i < n) x[i] = next;
}
