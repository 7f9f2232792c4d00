// check: --kernel Differences --grid 2 --block 64 --arg int32[640]=integers
//        --arg int32[640]=unwritten --arg int32=5
// Begin and end of a transfer are hidden in a small class.
#include <cuda_pipeline.h>

class Tile {
 public:
  __device__ explicit Tile(int* cells) : cells_(cells) {}
  __device__ void Begin(const int* source) {
    __pipeline_memcpy_async(&cells_[threadIdx.x], &source[threadIdx.x], sizeof(int));
    __pipeline_commit();
  }
  __device__ void End() {
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  __device__ int At(int i) const { return cells_[i]; }

 private:
  int* cells_;
};

__global__ void Differences(const int* x, int* out, int tiles) {
  __shared__ int cells[64];
  Tile tile(cells);
  for (int t = 0; t < tiles; ++t) {
    const int base = (blockIdx.x * tiles + t) * 64;
    tile.Begin(x + base);
    tile.End();
    const int left = threadIdx.x > 0 ? tile.At(threadIdx.x - 1) : 0;
    out[base + threadIdx.x] = tile.At(threadIdx.x) - left;
    __syncthreads();
  }
}
