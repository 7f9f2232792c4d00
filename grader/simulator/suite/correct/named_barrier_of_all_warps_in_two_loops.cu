// check: --kernel k --grid 2 --block 96 --arg int32[512]=integers --arg int32[512]=unwritten
// One warp fills the tile and two warps read it, each in a loop of its own. All of them meet at
// barrier 1 when it is full and at barrier 2 when it is read.
__device__ void meet(int barrier) {
  asm volatile("barrier.cta.sync.aligned %0, 96;" ::"r"(barrier) : "memory");
}
__global__ void k(const int* in, int* out) {
  __shared__ int tile[64];
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * 256;
  if (threadIdx.x >= 64) {
    for (int phase = 0; phase < 4; ++phase) {
      for (int i = lane; i < 64; i += 32) tile[i] = in[first + phase * 64 + i];
      meet(1);
      meet(2);
    }
    return;
  }
  for (int phase = 0; phase < 4; ++phase) {
    meet(1);
    out[first + phase * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    meet(2);
  }
}
