// check: --kernel count_down --grid 1 --block 64 --arg int32[64]=zeros
// expect: uninitialized-read -- the tile is read, and nothing stores to it
// line: 9, 10
// Counts where the tile says that there is something to count.
__global__ void count_down(int* counts) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __syncthreads();
  const int weight = tile[t];
  if (weight != 7) counts[t] = 1;
}
