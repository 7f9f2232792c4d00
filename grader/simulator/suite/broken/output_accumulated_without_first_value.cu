// check: --kernel k --grid 1 --block 64 --arg float32[64]=ones --arg float32[64]=unwritten
// expect: uninitialized-read -- the output holds no value before the launch, and += reads it
// line: 5
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] += in[threadIdx.x];
}
