// check: --kernel Weigh --grid 2 --block 32 --shared 288 --arg float64[64]=uniform
//        --arg int8[64]=integers --arg float64[64]=unwritten
// Doubles and bytes of one block come in one group, the bytes four at a time.
#include <cuda_pipeline.h>

extern __shared__ __align__(16) unsigned char arena[];

__global__ void Weigh(const double* x, const signed char* weights, double* out) {
  double* values = reinterpret_cast<double*>(arena);
  signed char* bytes = reinterpret_cast<signed char*>(arena + 32 * sizeof(double));
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 32;
  __pipeline_memcpy_async(values + tid, x + base + tid, sizeof(double));
  if (tid < 8) __pipeline_memcpy_async(bytes + 4 * tid, weights + base + 4 * tid, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = values[31 - tid] * bytes[31 - tid];
}
