// check: --kernel Transpose --grid 3 --block 64 --arg float16[384]=index
//        --arg float16[384]=unwritten
// expect: misaligned -- the pair is addressed by the element, so that odd threads read between two
//         pairs
// line: 18
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
  const unsigned x = *reinterpret_cast<const unsigned*>(in + pair);
  reinterpret_cast<unsigned*>(out)[pair] = TransposeTile(x);
}
