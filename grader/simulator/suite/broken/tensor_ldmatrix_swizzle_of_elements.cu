// check: --kernel Multiply --grid 2 --block 64 --arg float16[2048]=index --arg float16[512]=index
//        --arg float32[32,8]=unwritten
// expect: misaligned -- the element and not the chunk is permuted, so that chunks start anywhere
// line: 11, 16, 17, 18, 19, 24, 25, 26, 27, 48, 49, 57, 58
// only with: nvrtc
// Rows of 64 elements without padding: chunks of 8 are permuted by the row, copied with cp.async.
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

__device__ int Slot(int row, int chunk) {
  return row * 64 + (chunk * 8 ^ row % 8);
}

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) __half as[16 * 64];
  __shared__ alignas(128) __half bs[8 * 64];
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  const __half* rows = a + blockIdx.x * 16 * 64;
  for (int e = tid; e < 128; e += 64) CopyChunk(&as[Slot(e / 8, e % 8)], &rows[e * 8]);
  CopyChunk(&bs[Slot(tid / 8, tid % 8)], &b[tid * 8]);
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  if (tid >= 32) return;
  float d[4] = {};
  for (int i = 0; i < 4; ++i) {
    unsigned left[4], right[2];
    LoadFourTiles(left, &as[Slot(lane % 16, i * 2 + lane / 16)]);
    LoadTwoTiles(right, &bs[Slot(lane % 8, i * 2 + lane / 8 % 2)]);
    MultiplyAdd(d, left, right);
  }
  float* out = &c[(blockIdx.x * 16 + lane / 4) * 8 + lane % 4 * 2];
  out[0] = d[0];
  out[1] = d[1];
  out[64] = d[2];
  out[65] = d[3];
}
