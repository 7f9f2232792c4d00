// check: --kernel Eliminate --grid 1 --block 64 --arg float32[5,64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- thread 0 writes the next pivot while others may still read the last one
// line: 11, 13
// Sums values less the pivot of each row.
__global__ void Eliminate(const float* rows, float* out) {
  __shared__ float pivot;
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int r = 0; r < 5; ++r) {
    if (tid == 0) pivot = rows[r * 64];
    __syncthreads();
    sum += rows[r * 64 + tid] - pivot;
  }
  out[tid] = sum;
}
