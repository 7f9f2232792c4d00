// check: --kernel Multiply --grid 2 --block 96 --shared 4608 --arg float16[4096]=index
//        --arg float16[1024]=index --arg float32[32,8]=zeros --arg int32=128
// only with: nvrtc
// Warp 2 copies through a ring of stages; warps 0 and 1 take turns with the tiles.
#include <cuda_fp16.h>

__device__ void CopyChunk(void* target, const void* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(source) : "memory");
}

__device__ void LoadFourTiles(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__device__ void LoadTwoTiles(unsigned (&tiles)[2], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
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

constexpr int kStage = 16 * 24 + 8 * 24;

__global__ void Multiply(const __half* a, const __half* b, float* c, int k) {
  extern __shared__ uint4 memory[];
  __half* ring = reinterpret_cast<__half*>(memory);
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float d[4] = {};
  for (int t = -3; t < k / 16; ++t) {
    if (warp == 2) {
      if (t + 3 < k / 16) {
        __half* stage = ring + (t + 3) % 4 * kStage;
        for (int e = lane; e < 48; e += 32) {
          const __half* source = e < 32 ? a + (blockIdx.x * 16 + e / 2) * k : b + (e / 2 - 16) * k;
          CopyChunk(stage + e / 2 * 24 + e % 2 * 8, source + (t + 3) * 16 + e % 2 * 8);
        }
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 2;" ::: "memory");
    } else if (t >= 0 && t % 2 == warp) {
      const __half* stage = ring + t % 4 * kStage;
      unsigned left[4], right[2];
      LoadFourTiles(left, stage + lane % 16 * 24 + lane / 16 * 8);
      LoadTwoTiles(right, stage + (16 + lane % 8) * 24 + lane / 8 % 2 * 8);
      MultiplyAdd(d, left, right);
    }
    __syncthreads();
  }
  if (warp == 2) return;
  for (int j = 0; j < 4; ++j) {
    atomicAdd(&c[(blockIdx.x * 16 + lane / 4 + j / 2 * 8) * 8 + lane % 4 * 2 + j % 2], d[j]);
  }
}
