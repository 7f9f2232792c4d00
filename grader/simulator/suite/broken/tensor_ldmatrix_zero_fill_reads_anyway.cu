// check: --kernel Multiply --grid 2 --block 32 --arg float16[960]=index --arg float16[192]=index
//        --arg float32[20,8]=unwritten --arg int32=20
// expect: out-of-bounds -- the guard lets one row past the edge count as inside
// line: 35, 36, 37, 50
// only with: nvrtc
// Rows past the edge are filled with zeros by the copy itself: source size 0, a valid address.
#include <cuda_fp16.h>

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

__device__ void CopyOrZero(void* target, const void* source, bool copies) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(source),
               "r"(copies ? 16 : 0)
               : "memory");
}

__global__ void Multiply(const __half* a, const __half* b, float* c, int rows) {
  __shared__ alignas(16) __half as[16][56];
  __shared__ alignas(16) __half bs[8][56];
  const int lane = threadIdx.x;
  const int first = blockIdx.x * 16;
  for (int e = lane; e < 24 * 6; e += 32) {
    const int r = e / 6;
    const int part = e % 6 * 8;
    if (r < 16) {
      const bool inside = first + r <= rows;
      CopyOrZero(&as[r][part], inside ? &a[(first + r) * 48 + part] : a, inside);
    } else {
      const bool inside = part < 24;
      CopyOrZero(&bs[r - 16][part], inside ? &b[(r - 16) * 24 + part] : b, inside);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  float d[4] = {};
  for (int i = 0; i < 48; i += 16) {
    unsigned left[4], right[2];
    LoadFourTiles(left, &as[lane % 16][i + lane / 16 * 8]);
    LoadTwoTiles(right, &bs[lane % 8][i + lane / 8 % 2 * 8]);
    MultiplyAdd(d, left, right);
  }
  for (int j = 0; j < 4; ++j) {
    const int row = first + lane / 4 + j / 2 * 8;
    if (row < rows) c[row * 8 + lane % 4 * 2 + j % 2] = d[j];
  }
}
