// check: --kernel FillFields --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// Two threads fill the two fields of each shared record; after the barrier one reads both.
struct Record {
  float value;
  int index;
};

__global__ void FillFields(const float* x, float* out) {
  __shared__ Record records[32];
  const int slot = threadIdx.x / 2;
  if (threadIdx.x % 2 == 0) {
    records[slot].value = x[blockIdx.x * 32 + slot];
  } else {
    records[slot].index = 31 - slot;
  }
  __syncthreads();
  const Record mirrored = records[records[slot].index];
  out[blockIdx.x * 64 + threadIdx.x] = mirrored.value + mirrored.index;
}
