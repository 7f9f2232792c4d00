// check: --kernel k --grid 2 --block 32 --arg int32[64]=index --arg int32[64]=zeros
// expect: race -- two indices differ by 32 and fall on one element
// line: 6
__global__ void k(const int* index, int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[index[i] % 32] += i;
}
