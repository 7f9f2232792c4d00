// check: --kernel Sums --grid 1 --block 32 --arg float16[64]=index --arg float32[8]=unwritten
// expect: out-of-bounds -- x4 takes a row from every lane, but only those of lanes 0 to 7 lie in
//         the tile
// line: 11, 12, 13, 14, 24
// only with: nvrtc
// A sum of the rows of an 8 x 8 tile, whose row addresses only lanes 0 to 7 have.
#include <cuda_fp16.h>

__device__ void LoadTile(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__global__ void Sums(const __half* x, float* out) {
  __shared__ alignas(16) __half tile[8][8];
  const int lane = threadIdx.x;
  tile[lane / 4][lane % 4 * 2] = x[lane * 2];
  tile[lane / 4][lane % 4 * 2 + 1] = x[lane * 2 + 1];
  __syncwarp();
  unsigned part[4];
  LoadTile(part, tile[lane]);
  const __half2 both = *reinterpret_cast<__half2*>(&part[0]);
  float sum = __half2float(both.x) + __half2float(both.y);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  if (lane % 4 == 0) out[lane / 4] = sum;
}
