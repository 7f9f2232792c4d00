// check: --kernel SwapPairs --grid 1 --block 64 --arg int32[64]=integers --arg int32[64]=unwritten
// expect: out-of-bounds -- the launch gives no dynamic shared memory at all
// line: 8, 10
// Swaps neighbours through dynamic shared memory.
extern __shared__ int slots[];

__global__ void SwapPairs(const int* x, int* out) {
  slots[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = slots[threadIdx.x ^ 1];
}
