// check: --kernel LatticePaths --grid 1 --block 25 --arg int32[5,5]=unwritten
// expect: clean
// Number of lattice paths to each cell, counted by plain recursion on the device.
__device__ __noinline__ int CountPaths(int rows, int cols) {
  if (rows == 0 || cols == 0) return 1;
  return CountPaths(rows - 1, cols) + CountPaths(rows, cols - 1);
}

__global__ void LatticePaths(int* paths) {
  const int cell = threadIdx.x;
  paths[cell] = CountPaths(cell / 5, cell % 5);
}
