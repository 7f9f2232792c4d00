// check: --kernel k --grid 4 --block 1 --arg uint32[1]=zeros --arg int32[1]=zeros
// expect: race -- block 0 resets the counter by a plain store while other blocks count with atomics
// line: 6
__global__ void k(unsigned* count, int* out) {
  if (blockIdx.x == 0) *count = 0;
  if (atomicAdd(count, 1u) == 3) *out = 1;
}
