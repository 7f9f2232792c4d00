// check: --kernel PackFlags --grid 1 --block 64 --arg float32[64]=uniform --arg uint8[32]=unwritten
// expect: race -- two threads write the same byte
// line: 8
// One byte for each pair of threads.
__global__ void PackFlags(const float* x, unsigned char* out) {
  __shared__ unsigned char flags[32];
  const int tid = threadIdx.x;
  flags[tid / 2] = static_cast<unsigned char>(tid + (x[tid] > 2.0f));
  __syncthreads();
  if (tid < 32) out[tid] = flags[31 - tid];
}
