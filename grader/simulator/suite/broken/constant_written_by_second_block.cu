// check: --kernel ScaleRows --grid 2 --block 8 --arg float32=2.0 --arg float32[8]=uniform
// expect: read-only-write -- the second row of the work lies in constant memory
// line: 8
// Scales two rows in place, one block for each: the data and the table of weights.
__constant__ float weights[8] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f};

__device__ void ScaleInPlace(float* row, float scale) {
  row[threadIdx.x] *= scale;
}

__global__ void ScaleRows(float scale, float* data) {
  float* row = blockIdx.x == 0 ? data : weights;
  ScaleInPlace(row, scale);
}
