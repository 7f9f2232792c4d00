// check: --kernel Multiply --grid 2 --block 64 --arg float16[1024]=index --arg float16[512]=index
//        --arg float32[32,16]=unwritten
// expect: race -- the result is stored over the tiles while the other warp still loads from them
// line: 11, 12, 13, 14, 19, 20, 21, 22, 50, 51, 56
// only with: nvrtc
// The tiles and the result share memory in a union; the result leaves in rows of float4.
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

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ union {
    struct {
      uint4 left[16][5];
      uint4 right[32][3];
    } tiles;
    float4 result[16][5];
  } memory;
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  const int warp = tid / 32;
  memory.tiles.left[tid / 4][tid % 4] = reinterpret_cast<const uint4*>(a)[blockIdx.x * 64 + tid];
  memory.tiles.right[tid / 2][tid % 2] = reinterpret_cast<const uint4*>(b)[tid];
  __syncthreads();
  float d[4] = {};
  for (int i = 0; i < 2; ++i) {
    unsigned left[4], right[2];
    LoadFourTiles(left, &memory.tiles.left[lane % 16][i * 2 + lane / 16]);
    LoadTwoTilesTransposed(right, &memory.tiles.right[i * 16 + lane % 16][warp]);
    MultiplyAdd(d, left, right);
  }
  for (int j = 0; j < 4; ++j) {
    float* row = &memory.result[lane / 4 + j / 2 * 8][0].x;
    row[warp * 8 + lane % 4 * 2 + j % 2] = d[j];
  }
  __syncthreads();
  reinterpret_cast<float4*>(c)[blockIdx.x * 64 + tid] = memory.result[tid / 4][tid % 4];
}
