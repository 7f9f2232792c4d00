// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros
// expect: race -- every thread stores its own number to one variable
// line: 5
__global__ void k(int* last) {
  *last = threadIdx.x;
}
