// check: --kernel k --grid 2 --block 16 --arg int32[32]=zeros
// A __device__ variable without initialiser is zero.
__device__ int table[32];
__global__ void k(int* out) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  out[i] = table[i] + 1;
}
