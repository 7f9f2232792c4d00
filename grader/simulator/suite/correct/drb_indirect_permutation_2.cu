// check: --kernel k --grid 2 --block 32 --arg int32[64]=index --arg int32[64]=zeros
// 5 i mod 64 is a permutation, so every element belongs to one thread (the recipe 'permutation'
// of the first version makes rows of the identity).
__global__ void k(const int* index, int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[index[i] * 5 % 64] += i;
}
