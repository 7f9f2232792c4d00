// check: --kernel k --grid 2 --block 32 --arg int32[65]=index --arg int32[64]=permutation
//        --arg float32[64]=ones
// expect: race -- a vertex overwrites the value that other vertices pull
// line: 9
__global__ void k(const int* start, const int* list, float* value) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int e = start[v]; e < start[v + 1]; ++e) sum += value[list[e]];
  value[v] = sum;
}
