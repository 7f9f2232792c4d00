// check: --kernel SumRecords --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[32]=unwritten
// expect: uninitialized-read -- the weight of the shared records is never set
// line: 17
// Weighted mirror of 32 records in shared memory.
struct Record {
  float value;
  float weight;
};

__global__ void SumRecords(const float* x, float* out) {
  __shared__ Record records[32];
  const int tid = threadIdx.x;
  records[tid].value = x[tid];
  if (x[tid] > 5.0f) records[tid].weight = 1.0f;
  __syncthreads();
  out[tid] = records[31 - tid].value * records[31 - tid].weight;
}
