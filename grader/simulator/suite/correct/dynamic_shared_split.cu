// check: --kernel ReverseAndRank --grid 2 --block 64 --shared 768 --arg float32[128]=uniform
//        --arg float32[128]=unwritten --arg int32[128]=unwritten
// expect: clean
// Three arrays in one dynamic allocation: doubles, floats and ranks of a block.
extern __shared__ double arena[];

__global__ void ReverseAndRank(const float* x, float* reversed, int* ranks) {
  const int count = blockDim.x;
  double* squares = arena;
  float* values = reinterpret_cast<float*>(squares + count / 2);
  int* rank = reinterpret_cast<int*>(values + count);
  const int tid = threadIdx.x;
  const int base = blockIdx.x * count;
  values[tid] = x[base + tid];
  if (tid < count / 2) squares[tid] = static_cast<double>(x[base + tid]) * x[base + tid];
  __syncthreads();
  rank[tid] = 0;
  for (int k = 0; k < count; ++k) {
    if (values[k] < values[tid]) ++rank[tid];
  }
  __syncthreads();
  reversed[base + tid] = values[count - 1 - tid] + static_cast<float>(squares[tid / 2]);
  ranks[base + tid] = rank[count - 1 - tid];
}
