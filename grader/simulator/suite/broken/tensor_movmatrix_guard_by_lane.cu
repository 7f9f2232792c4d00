// check: --kernel Transpose --grid 3 --block 64 --arg float16[352]=index
//        --arg float16[352]=unwritten
// expect: divergent-barrier -- the guard on the number of pairs splits the last warp
// line: 11, 19
// only with: nvrtc
// Transposes a batch of 8 x 8 tiles in registers with movmatrix.
#include <cuda_fp16.h>

__device__ unsigned TransposeTile(unsigned x) {
  unsigned y;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}

__global__ void Transpose(const __half* in, __half* out) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= 176) return;
  const unsigned x = reinterpret_cast<const unsigned*>(in)[pair];
  reinterpret_cast<unsigned*>(out)[pair] = TransposeTile(x);
}
