// check: --kernel Shift --grid 1 --block 32 --arg int32[97]=integers --arg int32[97]=zeros
// expect: clean
// The types promise words, the addresses do not: such a copy is made of bytes.
__global__ void Shift(const int* from, int* to) {
  const char* source = reinterpret_cast<const char*>(from + 3 * threadIdx.x);
  char* place = reinterpret_cast<char*>(to + 3 * threadIdx.x);
  memcpy(reinterpret_cast<int*>(place + 1), reinterpret_cast<const int*>(source + 2), 8);
  memset(reinterpret_cast<int*>(place + 9), 7, 3);
}
