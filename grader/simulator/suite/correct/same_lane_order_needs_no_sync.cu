// check: --kernel k --grid 2 --block 64 --arg int32[128]=zeros --arg int32[128]=zeros
// Each thread reads back only what it wrote itself.
__global__ void k(int* a, int* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  a[127 - i] = i;
  out[i] = a[127 - i];
}
