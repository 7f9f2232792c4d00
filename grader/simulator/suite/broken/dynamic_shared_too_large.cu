// check: --kernel ReverseLarge --grid 1 --block 64 --shared 300000 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: bad-launch -- no device has 300000 bytes of shared memory for a block
// Reverses a block's slice through dynamic shared memory.
extern __shared__ float tile[];

__global__ void ReverseLarge(const float* x, float* out) {
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
