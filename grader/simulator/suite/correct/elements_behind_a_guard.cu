// check: --kernel Guarded --grid 1 --block 32 --arg int32[32]=zeros --arg int32=5
// expect: clean
// Only the first `count` elements are stored, and the others are never read. Compilers load all
// of them and select afterwards.
__global__ void Guarded(int* out, int count) {
  __shared__ int whole[64];
  __shared__ float half[64];
  const int t = threadIdx.x;
  if (t < count) {
    whole[t] = t;
    half[t] = t / 2.0f;
  }
  __syncthreads();
  int sum = 0;
  if (count > 20 && whole[20] > 3) sum = 7;
  if (count > 21) sum += whole[21];
  if (count > 22) sum ^= whole[22];
  if (count > 23 ? whole[23] > 2 : t > 5) sum *= 3;
  if (count > 25) sum = max(sum, whole[25]);
  if (count > 26) sum += whole[26] * 5;
  out[t] = sum + static_cast<int>(count > 24 ? half[24] * 2 : 1);
}
