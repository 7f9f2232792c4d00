// check: --kernel k --grid 2 --block 32 --arg int32[65]=index
// expect: race -- parents are followed with plain loads while other threads change them atomically
// line: 11
__global__ void k(int* parent) {
  int a = blockIdx.x * blockDim.x + threadIdx.x, b = a + 1;
  while (true) {
    while (parent[a] != a) a = parent[a];
    while (parent[b] != b) b = parent[b];
    if (a == b) return;
    const int hi = max(a, b), lo = min(a, b);
    if (atomicCAS(parent + hi, hi, lo) == hi) return;
  }
}
