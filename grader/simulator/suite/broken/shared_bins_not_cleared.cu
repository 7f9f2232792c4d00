// check: --kernel Histogram --grid 1 --block 64 --arg int32[64]=integers --arg int32[8]=zeros
// expect: uninitialized-read -- the shared bins are counted up without being cleared first
// line: 8, 10
// Counts the low three bits of every value in shared bins.
__global__ void Histogram(const int* x, int* histogram) {
  __shared__ int bins[8];
  const int tid = threadIdx.x;
  atomicAdd(&bins[x[tid] & 7], 1);
  __syncthreads();
  if (tid < 8) atomicAdd(&histogram[tid], bins[tid]);
}
