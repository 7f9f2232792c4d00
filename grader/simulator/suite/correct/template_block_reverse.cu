// check: --kernel ReverseBoth --grid 2 --block 50 --arg float32[100]=uniform
//        --arg int32[100]=integers
// expect: clean
// A template reverses a block's slice of any type in place; each type has its own buffer.
template <typename T, int kCount>
__device__ void ReverseSlice(T* slice) {
  __shared__ T buffer[kCount];
  buffer[threadIdx.x] = slice[threadIdx.x];
  __syncthreads();
  slice[threadIdx.x] = buffer[kCount - 1 - threadIdx.x];
}

__global__ void ReverseBoth(float* reals, int* integers) {
  ReverseSlice<float, 50>(reals + blockIdx.x * 50);
  ReverseSlice<int, 50>(integers + blockIdx.x * 50);
}
