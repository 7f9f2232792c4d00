// check: --kernel Multiply --grid 2,2 --block 128 --arg float16[3072]=index
//        --arg float16[1536]=index --arg float32[64,32]=unwritten --arg int32=32 --arg int32=48
// expect: misaligned -- the upper half of the lanes starts one element to the right instead of
//         eight
// line: 12, 13, 14, 15, 54
// only with: nvrtc
// C = A * B: A by ldmatrix.x4, row-major B by ldmatrix.x2.trans, four warps.
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

__global__ void Multiply(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ alignas(16) __half as[32][24];
  __shared__ alignas(16) __half bs[16][24];
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  const int row = tid / 64 * 16;
  const int col = tid / 32 % 2 * 8;
  const int r = tid / 2;
  const int part = tid % 2 * 8;
  float d[4] = {};
  for (int i = 0; i < k; i += 16) {
    if (r < 32) {
      const __half* source = &a[(blockIdx.y * 32 + r) * k + i + part];
      *reinterpret_cast<uint4*>(&as[r][part]) = *reinterpret_cast<const uint4*>(source);
    } else if (r < 48) {
      const __half* source = &b[(i + r - 32) * n + blockIdx.x * 16 + part];
      *reinterpret_cast<uint4*>(&bs[r - 32][part]) = *reinterpret_cast<const uint4*>(source);
    }
    __syncthreads();
    unsigned left[4], right[2];
    LoadFourTiles(left, &as[row + lane % 16][lane / 16]);
    LoadTwoTilesTransposed(right, &bs[lane % 16][col]);
    MultiplyAdd(d, left, right);
    __syncthreads();
  }
  float* out = &c[(blockIdx.y * 32 + row + lane / 4) * n + blockIdx.x * 16 + col + lane % 4 * 2];
  *reinterpret_cast<float2*>(out) = make_float2(d[0], d[1]);
  *reinterpret_cast<float2*>(out + 8 * n) = make_float2(d[2], d[3]);
}
