// check: --kernel k --grid 2 --block 32 --arg int32[64]=index --arg int32[1]=zeros
// expect: race -- comparing and storing are two plain accesses
// line: 6
__global__ void k(const int* in, int* best) {
  const int v = in[blockIdx.x * 32 + threadIdx.x];
  if (*best < v) *best = v;
}
