// check: --kernel VolumeFlip --grid 2,1,3 --block 8,4,2 --arg float32[384]=uniform
//        --arg float32[384]=unwritten
// expect: clean
// Flips a volume in all three axes through a shared brick; warps span several rows.
__global__ void VolumeFlip(const float* volume, float* flipped) {
  __shared__ float brick[2][4][8];
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = threadIdx.y;
  const int z = blockIdx.z * 2 + threadIdx.z;
  brick[threadIdx.z][threadIdx.y][threadIdx.x] = volume[(z * 4 + y) * 16 + x];
  __syncthreads();
  const int to_x = (gridDim.x - 1 - blockIdx.x) * 8 + threadIdx.x;
  const int to_z = (gridDim.z - 1 - blockIdx.z) * 2 + threadIdx.z;
  flipped[(to_z * 4 + y) * 16 + to_x] = brick[1 - threadIdx.z][3 - threadIdx.y][7 - threadIdx.x];
}
