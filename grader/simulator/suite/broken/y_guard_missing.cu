// check: --kernel k --grid 2,2 --block 8,8 --arg float32[12,10]=ones --arg int32=12 --arg int32=10
// expect: out-of-bounds -- only the column is guarded; rows 12 to 15 do not exist
// line: 6
__global__ void k(float* a, int rows, int cols) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < cols) a[y * cols + x] += 1;
}
