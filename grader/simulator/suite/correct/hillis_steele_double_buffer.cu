// check: --kernel InclusiveScan --grid 3 --block 128 --arg float32[384]=uniform
//        --arg float32[384]=unwritten
// expect: clean
// Inclusive prefix sum of each block's slice, from one buffer to the other at every step.
constexpr int kBlock = 128;

__global__ void InclusiveScan(const float* x, float* prefix) {
  __shared__ float buffer[2][kBlock];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kBlock + tid;
  int source = 0;
  buffer[source][tid] = x[i];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    float value = buffer[source][tid];
    if (tid >= offset) value += buffer[source][tid - offset];
    buffer[1 - source][tid] = value;
    source = 1 - source;
    __syncthreads();
  }
  prefix[i] = buffer[source][tid];
}
