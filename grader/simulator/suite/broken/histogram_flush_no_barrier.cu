// check: --kernel Histogram --grid 2 --block 96 --arg int32[192]=integers --arg int32[16]=zeros
// expect: race -- no barrier between counting and reading the shared bins
// line: 10, 11
// Counts the low four bits of every value in shared bins.
__global__ void Histogram(const int* x, int* histogram) {
  __shared__ int bins[16];
  const int tid = threadIdx.x;
  if (tid < 16) bins[tid] = 0;
  __syncthreads();
  atomicAdd(&bins[x[blockIdx.x * 96 + tid] & 15], 1);
  if (tid < 16) atomicAdd(&histogram[tid], bins[tid]);
}
