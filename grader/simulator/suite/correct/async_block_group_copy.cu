// check: --kernel Centered --grid 3 --block 64 --arg float32[600]=uniform
//        --arg float32[600]=unwritten
// only with: nvrtc
// The whole block copies 200 floats together, which the number of threads does not divide.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void Centered(const float* x, float* out) {
  __shared__ alignas(16) float tile[200];
  const cg::thread_block block = cg::this_thread_block();
  const int base = blockIdx.x * 200;
  cg::memcpy_async(block, tile, x + base, sizeof(float) * 200);
  cg::wait(block);
  float sum = 0.0f;
  for (int j = 0; j < 200; ++j) sum += tile[j];
  for (int j = threadIdx.x; j < 200; j += 64) out[base + j] = tile[199 - j] - sum / 200.0f;
}
