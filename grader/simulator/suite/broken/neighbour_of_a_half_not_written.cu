// check: --kernel Copy --grid 1 --block 32 --arg int32[64]=index --arg int16[64]=unwritten
//        --arg int32[64]=unwritten
// expect: uninitialized-read -- only elements of even number are stored
// line: 8
// Thread 0 adds up what the threads have stored in every other element, and what lies between.
__global__ void Copy(const int* x, short* halves, int* out) {
  halves[2 * threadIdx.x] = static_cast<short>(x[threadIdx.x]);
  out[threadIdx.x] = halves[2 * threadIdx.x] + halves[2 * threadIdx.x + 1];
}
