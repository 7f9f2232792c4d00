// check: --kernel Scale --grid 2 --block 32 --arg float32[512]=uniform
//        --arg float32[512]=unwritten
// A template copies a row in pieces of the size that its type has.
#include <cuda_pipeline.h>

template <typename Piece, int kPieces>
__device__ void CopyRow(Piece* target, const Piece* source) {
  for (int i = threadIdx.x; i < kPieces; i += blockDim.x) {
    __pipeline_memcpy_async(target + i, source + i, sizeof(Piece));
  }
}

__global__ void Scale(const float* x, float* out) {
  __shared__ __align__(16) float row[256];
  const float* source = x + blockIdx.x * 256;
  CopyRow<float, 64>(row, source);
  CopyRow<float2, 32>(reinterpret_cast<float2*>(row + 64),
                      reinterpret_cast<const float2*>(source + 64));
  CopyRow<float4, 32>(reinterpret_cast<float4*>(row + 128),
                      reinterpret_cast<const float4*>(source + 128));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float factor = row[255];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    out[blockIdx.x * 256 + i] = factor * row[i];
  }
}
