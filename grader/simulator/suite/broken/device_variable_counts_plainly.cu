// check: --kernel k --grid 2 --block 32 --arg int32[64]=zeros
// expect: race -- a __device__ variable is one for the whole grid
// line: 6
__device__ int counter;
__global__ void k(int* out) {
  out[blockIdx.x * 32 + threadIdx.x] = counter++;
}
