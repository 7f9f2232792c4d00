// check: --kernel k --grid 1 --block 16,4 --arg int32[64]=zeros
// expect: race -- threads with the same x and different y write different values to one element
// line: 6
__global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = threadIdx.y;
}
