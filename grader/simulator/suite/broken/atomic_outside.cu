// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[60]=zeros
// expect: out-of-bounds -- atomics are accesses too: bins 60 to 63 do not exist
// line: 5
__global__ void k(const int* in, int* bins) {
  atomicAdd(bins + in[threadIdx.x], 1);
}
