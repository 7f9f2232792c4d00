// check: --kernel k --grid 2 --block 32 --arg int32[65]=index --arg int32[64]=permutation
//        --arg float32[64]=ones --arg float32[64]=zeros
// Each vertex reads its neighbours' old values and writes its own new one.
__global__ void k(const int* start, const int* list, const float* value, float* next) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int e = start[v]; e < start[v + 1]; ++e) sum += value[list[e]];
  next[v] = sum;
}
