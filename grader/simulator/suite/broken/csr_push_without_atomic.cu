// check: --kernel k --grid 1 --block 64 --arg float32[64]=ones --arg float32[64]=zeros
// expect: race -- two vertices push to a common neighbour with plain additions
// line: 8
__global__ void k(const float* value, float* next) {
  const int v = threadIdx.x;
  for (int e = 0; e < 2; ++e) {
    const int n = (v + 1 + 5 * e) % 64;
    next[n] += value[v];
  }
}
