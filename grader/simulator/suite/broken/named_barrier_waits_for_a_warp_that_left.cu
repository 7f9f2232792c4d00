// check: --kernel k --grid 1 --block 96 --arg int32[96]=integers --arg int32[96]=unwritten
// expect: barrier-deadlock -- the barrier counts 96 threads, and 32 of them have ended
// line: 8
__global__ void k(const int* in, int* out) {
  __shared__ int tile[64];
  if (threadIdx.x >= 64) return;
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("barrier.cta.sync.aligned 1, 96;" ::: "memory");
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
