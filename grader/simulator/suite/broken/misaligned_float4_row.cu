// check: --kernel RowHeads --grid 1 --block 8 --arg float32[8,29]=uniform
//        --arg float32[8,4]=unwritten
// expect: misaligned -- rows of 29 floats do not start at multiples of 16 bytes
// line: 10
// The first four values of every row.
constexpr int kCols = 29;

__global__ void RowHeads(const float* matrix, float4* heads) {
  const float* row = matrix + threadIdx.x * kCols;
  heads[threadIdx.x] = *reinterpret_cast<const float4*>(row);
}
