// check: --kernel Histogram --grid 2 --block 64 --arg int32[128]=integers --arg int32[8]=zeros
// expect: race -- shared bins are incremented without atomics
// line: 10
// Counts the low three bits of every value.
__global__ void Histogram(const int* x, int* histogram) {
  __shared__ int bins[8];
  const int tid = threadIdx.x;
  if (tid < 8) bins[tid] = 0;
  __syncthreads();
  ++bins[x[blockIdx.x * 64 + tid] & 7];
  __syncthreads();
  if (tid < 8) atomicAdd(&histogram[tid], bins[tid]);
}
