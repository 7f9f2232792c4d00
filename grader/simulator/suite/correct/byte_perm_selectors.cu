// check: --kernel Select --grid 1 --block 16 --arg uint32=2148606515 --arg uint32=1146447479
// expect: clean
// Of the four bits that select a byte __byte_perm takes the lower three.
__global__ void Select(unsigned int x, unsigned int y) {
  const unsigned int selector = threadIdx.x;
  const unsigned int byte = selector % 8 < 4 ? x >> selector % 8 * 8 : y >> (selector % 8 - 4) * 8;
  if (__byte_perm(x, y, 0x1111 * selector) != (byte & 0xff) * 0x01010101) __trap();
}
