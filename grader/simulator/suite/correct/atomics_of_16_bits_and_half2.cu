// check: --kernel k --grid 1 --block 32 --arg uint16[2]=zeros --arg uint32[1]=zeros
// only with: nvrtc
// AtomicCAS of 16 bits and atomicAdd of __half2 on aligned addresses.
#include <cuda_fp16.h>
__global__ void k(unsigned short* w, unsigned* h) {
  unsigned short old = *(volatile unsigned short*)w, seen;
  while ((seen = atomicCAS(w, old, (unsigned short)(old + 1))) != old) old = seen;
  atomicAdd((__half2*)h, __floats2half2_rn(1.0f, 2.0f));
}
