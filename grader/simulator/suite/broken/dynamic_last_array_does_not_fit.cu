// check: --kernel KeysAndValues --grid 1 --block 64 --shared 384 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: out-of-bounds -- the floats fit in the 384 bytes, but the ints after them do not
// line: 12, 14
// Two arrays in one dynamic allocation: values and ranks.
extern __shared__ float values[];

__global__ void KeysAndValues(const float* x, float* out) {
  int* keys = reinterpret_cast<int*>(values + blockDim.x);
  const int tid = threadIdx.x;
  values[tid] = x[tid];
  keys[tid] = 63 - tid;
  __syncthreads();
  out[tid] = values[keys[tid]];
}
