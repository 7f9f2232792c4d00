// check: --kernel KeepPositive --grid 4 --block 64 --arg float32[250]=uniform
//        --arg float32[250]=unwritten --arg int32[1]=zeros --arg int32=250
// expect: clean
// Compacts positive values: ranks by ballot and popc, one atomic for every warp.
__global__ void KeepPositive(const float* x, float* kept, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const float value = i < n ? x[i] : -1.0f;
  const unsigned keepers = __ballot_sync(0xffffffffu, value > 0.0f);
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(keepers));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (value > 0.0f) kept[base + __popc(keepers & ((1u << lane) - 1u))] = value;
}
