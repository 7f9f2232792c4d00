// check: --kernel ListLength --grid 1 --block 4 --arg int32[16]=zeros --arg int32[4]=unwritten
// expect: step-limit -- the list ends at -1, but its links form a cycle
// line: 8, 9, 10
// Length of each thread's linked list.
__global__ void ListLength(const int* next, int* lengths) {
  int node = threadIdx.x;
  int length = 0;
  while (node >= 0) {
    node = next[node];
    ++length;
  }
  lengths[threadIdx.x] = length;
}
