// check: --kernel k --grid 2 --block 32 --arg int32[64]=permutation --arg int32[64]=zeros
// The indices are a permutation, so every element belongs to one thread.
__global__ void k(const int* index, int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[index[i]] += i;
}
