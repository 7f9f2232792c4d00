// check: --kernel Correlate --grid 1 --block 32 --arg float16[144]=index --arg float16[128]=index
//        --arg float32[16,8]=unwritten
// only with: nvrtc
// Windows of 16 samples, 8 apart: the rows of ldmatrix overlap in shared memory.
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

__global__ void Correlate(const __half* signal, const __half* patterns, float* out) {
  __shared__ alignas(16) __half samples[16 * 8 + 8];
  __shared__ alignas(16) __half rows[8][16];
  const int lane = threadIdx.x;
  for (int e = lane; e < 136; e += 32) samples[e] = signal[e];
  for (int e = lane; e < 128; e += 32) rows[e / 16][e % 16] = patterns[e];
  __syncthreads();
  unsigned left[4], right[2];
  LoadFourTiles(left, &samples[(lane % 16 + lane / 16) * 8]);
  LoadTwoTiles(right, &rows[lane % 8][lane / 8 % 2 * 8]);
  float d[4] = {};
  MultiplyAdd(d, left, right);
  for (int j = 0; j < 4; ++j) out[(lane / 4 + j / 2 * 8) * 8 + lane % 4 * 2 + j % 2] = d[j];
}
