// check: --kernel WaitForAll --grid 4 --block 1 --arg int32[1]=zeros --arg int32[4]=unwritten
// expect: step-limit -- every block waits for more arrivals than there are blocks
// line: 9
// A home-made grid barrier that expects one arrival too many.
__global__ void WaitForAll(int* arrived, int* out) {
  __threadfence();
  atomicAdd(arrived, 1);
  const int expected = gridDim.x + 1;
  while (atomicAdd(arrived, 0) < expected) {
  }
  out[blockIdx.x] = expected;
}
