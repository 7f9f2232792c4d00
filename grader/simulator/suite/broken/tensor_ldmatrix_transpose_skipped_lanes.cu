// check: --kernel Transpose --grid 4,2 --block 32 --arg float16[2048]=index
//        --arg float16[2048]=unwritten --arg int32=32 --arg int32=64
// expect: uninitialized-read -- only lanes 0 to 15 fill the tile, which is half of it
// line: 11, 12, 13, 14, 29
// only with: nvrtc
// Transposes a matrix in 16 x 16 tiles with ldmatrix.trans.
#include <cuda_fp16.h>

__device__ void LoadFourTilesTransposed(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__global__ void Transpose(const __half* in, __half* out, int rows, int cols) {
  __shared__ alignas(16) __half tile[16][24];
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 16;
  const int col = blockIdx.x * 16;
  const int r = lane / 2;
  const int part = lane % 2 * 8;
  if (lane < 16)
    *reinterpret_cast<uint4*>(&tile[r][part]) =
        *reinterpret_cast<const uint4*>(&in[(row + r) * cols + col + part]);
  __syncwarp();
  unsigned tiles[4];
  LoadFourTilesTransposed(tiles, &tile[lane % 16][lane / 16 * 8]);
  for (int j = 0; j < 4; ++j) {
    const int target_row = col + j / 2 * 8 + lane / 4;
    const int target_col = row + j % 2 * 8 + lane % 4 * 2;
    *reinterpret_cast<unsigned*>(&out[target_row * rows + target_col]) = tiles[j];
  }
}
