// check: --kernel Widen --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=unwritten
//        --arg int32[64]=unwritten
// expect: uninitialized-read -- one byte of each element is stored, and four are read
// line: 8
// Stores small numbers as bytes, and forgets that the other bytes are not zero.
__global__ void Widen(const int* x, int* narrow, int* wide) {
  reinterpret_cast<char*>(narrow)[4 * threadIdx.x] = static_cast<char>(x[threadIdx.x]);
  wide[threadIdx.x] = narrow[threadIdx.x] * 3;
}
