// check: --kernel Multiply --grid 2 --block 64 --arg float16[2560]=index --arg float16[1280]=index
//        --arg float32[32,16]=unwritten --arg int32=80
// expect: unfinished-copy -- the loop never changes the stage: it multiplies tiles that are still
//         being copied into it
// line: 12, 17, 18, 19, 20, 25, 26, 27, 28, 48, 49, 64, 65
// only with: nvrtc
// C = A * B with two stages of cp.async in inline assembly.
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

__global__ void Multiply(const __half* a, const __half* b, float* c, int k) {
  __shared__ alignas(16) __half as[2][16][24];
  __shared__ alignas(16) __half bs[2][16][24];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const __half* rows = a + blockIdx.x * 16 * k;
  const auto copy = [&](int s, int i) {
    const int r = lane / 2;
    const int part = lane % 2 * 8;
    if (warp == 0) CopyChunk(&as[s][r][part], rows + r * k + i + part);
    if (warp == 1) CopyChunk(&bs[s][r][part], b + (i + r) * 16 + part);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float d[4] = {};
  copy(0, 0);
  int s = 0;
  for (int i = 0; i < k; i += 16) {
    if (i + 16 < k) {
      copy(s, i + 16);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    unsigned left[4], right[2];
    LoadFourTiles(left, &as[s][lane % 16][lane / 16 * 8]);
    LoadTwoTilesTransposed(right, &bs[s][lane % 16][warp * 8]);
    MultiplyAdd(d, left, right);
    __syncthreads();
  }
  float* out = c + (blockIdx.x * 16 + lane / 4) * 16 + warp * 8 + lane % 4 * 2;
  out[0] = d[0], out[1] = d[1];
  out[128] = d[2], out[129] = d[3];
}
