// check: --kernel ReverseTile --grid 2 --block 128 --shared 256 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: out-of-bounds -- the launch asks for 256 bytes where 128 floats need 512
// line: 10, 12
// Reverses each block's slice through dynamic shared memory.
extern __shared__ float tile[];

__global__ void ReverseTile(const float* x, float* out) {
  const int base = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = x[base + threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
