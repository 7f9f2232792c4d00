// check: --kernel Load --grid 1 --block 32 --arg float16[128]=index --arg float16[128]=unwritten
// only with: nvrtc
// ldmatrix.x2 and .x1 ignore the addresses of the upper lanes, which are odd or zero here.
#include <cuda_fp16.h>

__device__ void LoadTwoTiles(unsigned (&tiles)[2], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(tiles[0]), "=r"(tiles[1])
               : "r"(address)
               : "memory");
}

__device__ void LoadTileTransposed(unsigned (&tiles)[1], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(tiles[0])
               : "r"(address)
               : "memory");
}

__global__ void Load(const __half* in, __half* out) {
  __shared__ alignas(16) __half tile[16][8];
  const int lane = threadIdx.x;
  for (int e = lane; e < 128; e += 32) tile[e / 8][e % 8] = in[e];
  __syncwarp();
  unsigned two[2], one[1];
  LoadTwoTiles(two, lane < 16 ? &tile[lane][0] : &tile[0][0] + lane);
  LoadTileTransposed(one, lane < 8 ? &tile[lane + 8][0] : &tile[1][3]);
  unsigned* words = reinterpret_cast<unsigned*>(out);
  words[lane] = two[0];
  words[32 + lane] = two[1] ^ one[0];
}
