// check: --kernel Multiply --grid 2 --block 128 --arg float16[4096]=index --arg float16[128]=index
//        --arg float32[128,8]=unwritten
// only with: nvrtc
// Four products of 16 x 16 by 16 x 8 a block, one for each warp.
#include <cuda_fp16.h>

__device__ void LoadFourTiles(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__device__ void LoadTwoTilesTransposed(unsigned (&tiles)[2], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(tiles[0]), "=r"(tiles[1])
               : "r"(address)
               : "memory");
}

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

struct Tiles {
  alignas(16) __half left[16][16 + 8];
  alignas(16) __half right[16][8];
};

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ Tiles all[4];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  Tiles& mine = all[warp];
  const int first = (blockIdx.x * 4 + warp) * 16;
  for (int e = lane; e < 16 * 16; e += 32) mine.left[e / 16][e % 16] = a[first * 16 + e];
  for (int e = lane; e < 16 * 8; e += 32) mine.right[e / 8][e % 8] = b[e];
  __syncwarp();
  unsigned left[4], right[2];
  LoadFourTiles(left, &mine.left[lane % 16][lane / 16 * 8]);
  LoadTwoTilesTransposed(right, mine.right[lane % 16]);
  float d[4] = {};
  MultiplyAdd(d, left, right);
  float* out = c + (first + lane / 4) * 8 + lane % 4 * 2;
  *reinterpret_cast<float2*>(out) = make_float2(d[0], d[1]);
  *reinterpret_cast<float2*>(out + 64) = make_float2(d[2], d[3]);
}
