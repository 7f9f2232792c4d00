// check: --kernel BytesOfSums --grid 2 --block 64 --arg float32[128]=uniform
//        --arg int32[128]=unwritten
// expect: clean
// One shared buffer first holds floats, then bytes; barriers separate the two uses.
union Scratch {
  float reals[64];
  unsigned char bytes[256];
};

__global__ void BytesOfSums(const float* x, int* out) {
  __shared__ Scratch scratch;
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  scratch.reals[tid] = x[i];
  __syncthreads();
  const float sum = scratch.reals[tid] + scratch.reals[63 - tid];
  __syncthreads();
  for (int k = 0; k < 4; ++k) scratch.bytes[k * 64 + tid] = static_cast<int>(sum * 10.0f) + k + 30;
  __syncthreads();
  int total = 0;
  for (int k = 0; k < 4; ++k) total += scratch.bytes[4 * tid + k];
  out[i] = total;
}
