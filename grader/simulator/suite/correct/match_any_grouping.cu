// check: --kernel CountKeys --grid 4 --block 64 --arg int32[256]=integers --arg int32[8]=zeros
// expect: clean
// Lanes with the same key elect a leader, which counts the whole group with one atomic.
__global__ void CountKeys(const int* keys, int* counts) {
  const int lane = threadIdx.x % 32;
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  const int leader = __ffs(peers) - 1;
  if (lane == leader) {
    atomicAdd(&counts[key], __popc(peers));
  }
}
