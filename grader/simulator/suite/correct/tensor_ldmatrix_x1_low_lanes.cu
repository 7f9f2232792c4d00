// check: --kernel Sums --grid 1 --block 32 --arg float16[64]=index --arg float32[8]=unwritten
// only with: nvrtc
// ldmatrix.x1 takes the addresses of lanes 0 to 7; those of the other lanes do not matter.
#include <cuda_fp16.h>

__device__ void LoadTile(unsigned (&tiles)[1], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(tiles[0])
               : "r"(address)
               : "memory");
}

__global__ void Sums(const __half* x, float* out) {
  __shared__ alignas(16) __half tile[8][8];
  const int lane = threadIdx.x;
  tile[lane / 4][lane % 4 * 2] = x[lane * 2];
  tile[lane / 4][lane % 4 * 2 + 1] = x[lane * 2 + 1];
  __syncwarp();
  unsigned part[1];
  LoadTile(part, tile[lane]);
  const __half2 both = *reinterpret_cast<__half2*>(&part[0]);
  float sum = __half2float(both.x) + __half2float(both.y);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  if (lane % 4 == 0) out[lane / 4] = sum;
}
