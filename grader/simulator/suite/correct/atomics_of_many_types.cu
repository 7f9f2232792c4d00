// check: --kernel k --grid 2 --block 32 --arg float64[1]=zeros --arg uint64[1]=zeros
//        --arg uint32[4]=zeros
// Atomics of several types and operations.
__global__ void k(double* d, unsigned long long* u, unsigned* w) {
  atomicAdd(d, 1.0);
  atomicMax(u, (unsigned long long)threadIdx.x);
  atomicInc(w, 7u);
  atomicXor(w + 1, threadIdx.x);
  atomicAnd(w + 2, 0xffu);
  atomicSub(w + 3, 1u);
  atomicAdd_system(w + 3, 1u);
}
