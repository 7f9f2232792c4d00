// check: --kernel k --grid 2 --block 96 --arg int32[512]=integers --arg int32[512]=unwritten
// expect: race -- the warp that fills the tile does not wait until the others have read it
// line: 15, 22
// One warp fills the tile and two warps read it, each in a loop of its own. They meet only when it
// is full.
__device__ void meet() {
  asm volatile("barrier.cta.sync.aligned 1, 96;" ::: "memory");
}
__global__ void k(const int* in, int* out) {
  __shared__ int tile[64];
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * 256;
  if (threadIdx.x >= 64) {
    for (int phase = 0; phase < 4; ++phase) {
      for (int i = lane; i < 64; i += 32) tile[i] = in[first + phase * 64 + i];
      meet();
    }
    return;
  }
  for (int phase = 0; phase < 4; ++phase) {
    meet();
    out[first + phase * 64 + threadIdx.x] = tile[63 - threadIdx.x];
  }
}
