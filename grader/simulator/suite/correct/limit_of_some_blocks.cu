// check: --kernel SumUpToLimit --grid 4 --block 64 --arg int32[250]=integers
//        --arg int32[256]=unwritten --arg int32=250
// expect: clean
// Block 0 has no limit: none of its threads reads or writes it.
__global__ void SumUpToLimit(const int* in, int* out, int n) {
  __shared__ int limit;
  __shared__ float scale;
  __shared__ bool more;
  const int t = threadIdx.x;
  const int block = blockIdx.x;
  if (t == 0) {
    more = block > 0;
    if (block > 0) limit = 2 * block + 1;
    if (block > 1) scale = 0.5f;
  }
  __syncthreads();
  int sum = 0;
  if (block > 0) {
    for (int j = 0; j < limit; ++j) sum += in[j];
  }
  for (int j = t; j < n; j += blockDim.x) {
    if (more && j > 3) {
      if (in[j] > limit) sum += in[j];
    } else {
      sum += 2;
    }
  }
  for (int j = 0; j < n / 8; ++j) {
    float value = in[j];
    if (block > 1) value *= scale;
    sum += static_cast<int>(value);
  }
  out[block * blockDim.x + t] = sum;
}
