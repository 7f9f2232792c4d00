// check: --kernel PadRows --grid 2 --block 64 --arg float32[2,100]=uniform
//        --arg float32[2,128]=unwritten --arg int32=98
// expect: race -- the quad's zero fill covers cells that others set to -1
// line: 14, 17
// A row is copied in quads; the cells behind its end are set to -1 by plain stores.
#include <cuda_pipeline.h>

__global__ void PadRows(const float* x, float* out, int n) {
  __shared__ __align__(16) float row[128];
  const int tid = threadIdx.x;
  const int first = 4 * tid;
  if (first < n) {
    const int inside = min(4, n - first);
    __pipeline_memcpy_async(&row[first], &x[blockIdx.x * 100 + first], 16, 4 * (4 - inside));
  }
  __pipeline_commit();
  if (n + tid < 128) row[n + tid] = -1.0f;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 128 + tid] = row[127 - tid];
  out[blockIdx.x * 128 + tid + 64] = row[63 - tid];
}
