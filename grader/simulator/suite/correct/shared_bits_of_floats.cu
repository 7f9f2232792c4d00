// check: --kernel SignBytes --grid 1 --block 96 --arg float32[96]=uniform --arg uint8[96]=unwritten
// expect: clean
// Stores floats to shared memory and reads their highest bytes after a barrier.
__global__ void SignBytes(const float* x, unsigned char* signs) {
  __shared__ float values[96];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values);
  const int mirrored = blockDim.x - 1 - threadIdx.x;
  signs[threadIdx.x] = bytes[4 * mirrored + 3] >> 7;
}
