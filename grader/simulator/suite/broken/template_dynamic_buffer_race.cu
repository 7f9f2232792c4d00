// check: --kernel ReverseSlices --grid 2 --block 64 --shared 256 --arg float32[128]=uniform
// expect: race -- the template reverses the slice without a barrier
// line: 9, 10
// Reverses each block's slice through dynamic shared memory.
extern __shared__ float buffer[];

template <int kCount>
__device__ void ReverseSlice(float* slice) {
  buffer[threadIdx.x] = slice[threadIdx.x];
  slice[threadIdx.x] = buffer[kCount - 1 - threadIdx.x];
}

__global__ void ReverseSlices(float* x) {
  ReverseSlice<64>(x + blockIdx.x * 64);
}
