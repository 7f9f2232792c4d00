// check: --kernel k --grid 1 --block 64 --arg uint8[65]=zeros
// expect: race -- thread t stores byte t and byte t + 1, which the next thread stores too
// line: 6
__global__ void k(unsigned char* a) {
  a[threadIdx.x] = threadIdx.x;
  a[threadIdx.x + 1] = 200 - threadIdx.x;
}
