// check: --kernel k --grid 1 --block 16 --arg uint8[128]=ones --arg int32[16]=zeros
// expect: misaligned -- an int is read at an odd address
// line: 6
__global__ void k(const unsigned char* bytes, int* out) {
  const int t = threadIdx.x;
  out[t] = *(const int*)(bytes + 5 * t);
}
