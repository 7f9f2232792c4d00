// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=permutation
//        --arg int32[64]=zeros
// expect: out-of-bounds -- the array of row starts has n elements, and the last vertex reads
//         element n
// line: 9
__global__ void k(const int* start, const int* list, int* degree) {
  const int v = threadIdx.x;
  int sum = 0;
  for (int e = start[v]; e < start[v + 1] && e < 64; ++e) sum += list[e];
  degree[v] = sum;
}
